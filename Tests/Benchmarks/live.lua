-- PUTs of random entities that standing queries are about; each is a change. Argument: "narrow",
-- where about ten of the queries of live.py match a write, or "wide", where its ten all do.
local n, wide

function init(arguments)
    wide = arguments[1] == "wide"
    math.randomseed(7)
    n = os.time() % 100000 * 10000
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Prefer"] = "return=minimal"
end

function request()
    n = n + 1
    local random = math.random
    return wrk.format("PUT", "/v1/stood/entity-" .. random(0, 9999), nil, string.format(
        '{"n":%d,"section":"s%d","owner":"o%d","size":%d,"price":%d,"note":"%s"}',
        n, random(0, 99), random(0, 999), wide and 1 or random(0, 999999), wide and 1 or random(0, 999999), string.rep("x", 150)))
end
