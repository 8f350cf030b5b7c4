-- PUTs to random ids, each a change. Arguments: the number of ids, bytes of a body; and, where they are
-- not packages of the type `written`, the beginning of their paths and the number of their owners.
local keys, filler, n, prefix, owners

function init(arguments)
    keys = tonumber(arguments[1])
    filler = string.rep("x", tonumber(arguments[2]) - 24)
    prefix = arguments[3] or "/v1/written/package-"
    owners = tonumber(arguments[4])
    math.randomseed(7)
    -- A start of its own each run, so that no write repeats the stored value.
    n = os.time() % 100000 * 10000
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Prefer"] = "return=minimal"
end

function request()
    n = n + 1
    local key = math.random(0, keys - 1)
    local owner = owners and string.format('"owner":"o%d",', key % owners) or ""
    return wrk.format("PUT", prefix .. key, nil, string.format('{%s"n":%d,"s":"%s"}', owner, n, filler))
end
