-- PUTs to random ids, each a change. Arguments: the number of ids, bytes of a body.
local keys, filler, n

function init(arguments)
    keys = tonumber(arguments[1])
    filler = string.rep("x", tonumber(arguments[2]) - 24)
    math.randomseed(7)
    -- A start of its own each run, so that no write repeats the stored value.
    n = os.time() % 100000 * 10000
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Prefer"] = "return=minimal"
end

function request()
    n = n + 1
    return wrk.format("PUT", "/v1/written/package-" .. math.random(0, keys - 1), nil,
        string.format('{"n":%d,"s":"%s"}', n, filler))
end
