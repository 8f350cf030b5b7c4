-- GETs of random ids. Arguments: the file of paths, requests per write (1, or 16 pipelined).
local batches = {}

function init(arguments)
    local paths = {}
    for line in io.lines(arguments[1]) do paths[#paths + 1] = line end
    local depth = tonumber(arguments[2])
    math.randomseed(7)
    local count = depth == 1 and #paths or 8192
    for i = 1, count do
        local batch = {}
        for k = 1, depth do
            local at = depth == 1 and i or math.random(#paths)
            batch[k] = wrk.format("GET", paths[at])
        end
        batches[i] = table.concat(batch)
    end
end

function request()
    return batches[math.random(#batches)]
end
