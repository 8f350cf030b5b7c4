-- PUTs of entities like the packages to random ids: each moves in the indexes of section, priority
-- and installedSize. Arguments: the number of ids, bytes of a body.
local keys, filler, n

function init(arguments)
    keys = tonumber(arguments[1])
    filler = string.rep("x", tonumber(arguments[2]) - 100)
    math.randomseed(7)
    -- A start of its own each run, so that no write repeats the stored value.
    n = os.time() % 100000 * 10000
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Prefer"] = "return=minimal"
end

local priorities = {"required", "important", "standard", "optional", "extra"}
local sections = {}
for _, name in ipairs({"admin", "comm", "database", "devel", "doc", "editors", "games", "gnome", "graphics", "libs", "mail", "math", "net", "python", "sound", "text", "utils", "web", "x11"}) do
    for _, area in ipairs({"", "contrib/", "non-free/"}) do sections[#sections + 1] = area .. name end
end

function request()
    n = n + 1
    local random = math.random
    return wrk.format("PUT", "/v1/written/package-" .. random(0, keys - 1), nil,
        string.format('{"n":%d,"section":"%s","priority":"%s","installedSize":%d,"s":"%s"}', n,
            sections[random(#sections)], priorities[random(#priorities)], random(10, 200000), filler))
end
