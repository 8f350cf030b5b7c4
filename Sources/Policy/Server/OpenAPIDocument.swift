// Written by .ci/embed from OpenAPI/openapi.json. Edit that file, then run .ci/embed.
// swift-format-ignore-file

/// The API description that `GET /openapi.json` serves, and what a declared type adds.
enum OpenAPIDocument {
    /// OpenAPI 3.1 as JSON: ASCII, closed by a newline.
    static let json: StaticString = #"""
{
 "openapi": "3.1.0",
 "info": {
  "title": "Freshet",
  "version": "1",
  "summary": "A live entity service.",
  "description": "Set, get, search and watch JSON entities. Every search URL is a live URL with `Accept: text/event-stream`. The QUERY method of `/v1/{type}` stands under `x-query`, because OpenAPI 3.1 has no place for it. `x-codes` of an operation are the codes of the problems that it may answer; those of the document come before an operation is known. `?types=declared` adds the declared types with paths and schemas of their own."
 },
 "servers": [
  {
   "url": "/"
  }
 ],
 "tags": [
  {
   "name": "entities",
   "description": "Get, set, patch and remove entities, one or many at once."
  },
  {
   "name": "search",
   "description": "Search, count, group; each search is a live query as well."
  },
  {
   "name": "live",
   "description": "Several live queries on one stream, and sessions that change them."
  },
  {
   "name": "types",
   "description": "What types there are, and what is declared of them."
  },
  {
   "name": "operations",
   "description": "What runs by itself or by hand: queries, pages and mutations of remotes."
  },
  {
   "name": "conditions",
   "description": "Conditions and specifications: when operations may run."
  },
  {
   "name": "remotes",
   "description": "Upstreams, their credentials, and the outbox of writes to them."
  },
  {
   "name": "store",
   "description": "Export, import, backup and care of what is on the disk."
  },
  {
   "name": "service",
   "description": "Health, metrics, version, the master switch, this description."
  },
  {
   "name": "pages",
   "description": "What a browser shows: documentation, problems, the live page."
  }
 ],
 "paths": {
  "/": {
   "get": {
    "operationId": "getRoot",
    "tags": [
     "types"
    ],
    "summary": "What `GET /v1` gives; HTML where `Accept` names `text/html`.",
    "responses": {
     "200": {
      "description": "The types.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "service": "freshet",
         "version": "0.1.0",
         "types": [
          {
           "name": "comment",
           "count": 0,
           "href": "/v1/comment"
          },
          {
           "name": "order",
           "count": 0,
           "href": "/v1/order"
          },
          {
           "name": "package",
           "count": 2,
           "href": "/v1/package"
          },
          {
           "name": "person",
           "count": 0,
           "href": "/v1/person"
          },
          {
           "name": "todo",
           "count": 0,
           "href": "/v1/todo"
          }
         ],
         "links": {
          "types": "/v1/_types",
          "batch": "/v1/_batch",
          "export": "/v1/_export",
          "import": "/v1/_import",
          "store/reopen": "/v1/_store/reopen",
          "store/compact": "/v1/_store/compact",
          "store/scrub": "/v1/_store/scrub",
          "upstreams": "/v1/_upstreams",
          "live": "/v1/_live",
          "operations": "/v1/_operations",
          "conditions": "/v1/_conditions",
          "specs/evaluate": "/v1/_specs/evaluate",
          "service/active": "/v1/_service/active",
          "outbox": "/v1/_outbox",
          "backup": "/v1/_backup",
          "openapi": "/openapi.json",
          "version": "/version",
          "health": "/readyz",
          "liveness": "/livez",
          "metrics": "/metrics",
          "problems": "/problems",
          "documentation": "/docs"
         },
         "meta": {
          "revision": 10,
          "cursor": "62wefspt1gex.10"
         }
        }
       },
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "query-timeout",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1": {
   "get": {
    "operationId": "listTypes",
    "tags": [
     "types"
    ],
    "summary": "The types, with counts and links.",
    "responses": {
     "200": {
      "description": "The types.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "service": "freshet",
         "version": "0.1.0",
         "types": [
          {
           "name": "comment",
           "count": 0,
           "href": "/v1/comment"
          },
          {
           "name": "order",
           "count": 0,
           "href": "/v1/order"
          },
          {
           "name": "package",
           "count": 2,
           "href": "/v1/package"
          },
          {
           "name": "person",
           "count": 0,
           "href": "/v1/person"
          },
          {
           "name": "todo",
           "count": 0,
           "href": "/v1/todo"
          }
         ],
         "links": {
          "types": "/v1/_types",
          "batch": "/v1/_batch",
          "export": "/v1/_export",
          "import": "/v1/_import",
          "store/reopen": "/v1/_store/reopen",
          "store/compact": "/v1/_store/compact",
          "store/scrub": "/v1/_store/scrub",
          "upstreams": "/v1/_upstreams",
          "live": "/v1/_live",
          "operations": "/v1/_operations",
          "conditions": "/v1/_conditions",
          "specs/evaluate": "/v1/_specs/evaluate",
          "service/active": "/v1/_service/active",
          "outbox": "/v1/_outbox",
          "backup": "/v1/_backup",
          "openapi": "/openapi.json",
          "version": "/version",
          "health": "/readyz",
          "liveness": "/livez",
          "metrics": "/metrics",
          "problems": "/problems",
          "documentation": "/docs"
         },
         "meta": {
          "revision": 10,
          "cursor": "62wefspt1gex.10"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "query-timeout",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/{type}": {
   "get": {
    "operationId": "searchEntities",
    "tags": [
     "search"
    ],
    "summary": "Search; continuous with `Accept: text/event-stream` or `live`.",
    "description": "With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/filter"
     },
     {
      "$ref": "#/components/parameters/ids"
     },
     {
      "$ref": "#/components/parameters/order"
     },
     {
      "$ref": "#/components/parameters/offset"
     },
     {
      "$ref": "#/components/parameters/limit"
     },
     {
      "$ref": "#/components/parameters/after"
     },
     {
      "$ref": "#/components/parameters/fields"
     },
     {
      "$ref": "#/components/parameters/include"
     },
     {
      "$ref": "#/components/parameters/depth"
     },
     {
      "$ref": "#/components/parameters/count"
     },
     {
      "$ref": "#/components/parameters/meta"
     },
     {
      "$ref": "#/components/parameters/explain"
     },
     {
      "$ref": "#/components/parameters/group"
     },
     {
      "$ref": "#/components/parameters/aggregate"
     },
     {
      "$ref": "#/components/parameters/distinct"
     },
     {
      "$ref": "#/components/parameters/contract"
     },
     {
      "$ref": "#/components/parameters/source"
     },
     {
      "$ref": "#/components/parameters/persist"
     },
     {
      "$ref": "#/components/parameters/trustRemote"
     },
     {
      "$ref": "#/components/parameters/endpoint"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     },
     {
      "$ref": "#/components/parameters/live"
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/wait"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/old"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     }
    ],
    "responses": {
     "200": {
      "description": "The matches, or the stream where one is asked for.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Link": {
        "$ref": "#/components/headers/Link"
       },
       "Vary": {
        "$ref": "#/components/headers/Vary"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "anyOf": [
          {
           "$ref": "#/components/schemas/Result"
          },
          {
           "$ref": "#/components/schemas/LongPoll"
          }
         ]
        },
        "example": {
         "items": [
          {
           "id": "01a20482-ab27-7709-8d71-e896fa46a5d9",
           "section": "games"
          },
          {
           "id": "bash",
           "version": "5.2.15-2+b2",
           "section": "shells",
           "installedSize": 7164
          }
         ],
         "meta": {
          "revision": 10,
          "cursor": "62wefspt1gex.10",
          "count": 2,
          "source": "local"
         }
        }
       },
       "text/event-stream": {
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"\":{\"mode\":\"snapshot\",\"index\":\"residual\",\"window\":{\"offset\":0,\"limit\":100}}}}\n\nevent: snapshot\nid: 62wefspt1gex.10.9b7e8de7f289efc8\ndata: {\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"},{\"id\":\"bash\",\"version\":\"5.2.15-2+b2\",\"section\":\"shells\",\"installedSize\":7164}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "204": {
      "description": "With `wait`: no news came in time."
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-filter",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "head": {
    "operationId": "headEntities",
    "tags": [
     "search"
    ],
    "summary": "The headers of a search.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/filter"
     },
     {
      "$ref": "#/components/parameters/ids"
     },
     {
      "$ref": "#/components/parameters/order"
     },
     {
      "$ref": "#/components/parameters/offset"
     },
     {
      "$ref": "#/components/parameters/limit"
     },
     {
      "$ref": "#/components/parameters/after"
     },
     {
      "$ref": "#/components/parameters/fields"
     },
     {
      "$ref": "#/components/parameters/count"
     },
     {
      "$ref": "#/components/parameters/meta"
     },
     {
      "$ref": "#/components/parameters/explain"
     },
     {
      "$ref": "#/components/parameters/group"
     },
     {
      "$ref": "#/components/parameters/aggregate"
     },
     {
      "$ref": "#/components/parameters/distinct"
     },
     {
      "$ref": "#/components/parameters/contract"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     }
    ],
    "responses": {
     "200": {
      "description": "Found.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Total": {
        "$ref": "#/components/headers/Freshet-Total"
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-filter",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   },
   "post": {
    "operationId": "createEntity",
    "tags": [
     "entities"
    ],
    "summary": "Create; the server makes the id unless the body has one.",
    "description": "`Prefer: return=minimal` leaves the body out: 201 without one on creation, else 204. It is no parameter here, because a response of this document either has a body or has none.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     },
     {
      "$ref": "#/components/parameters/target"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/NewEntity"
       },
       "example": {
        "id": "zsh",
        "version": "5.9-4",
        "section": "shells",
        "installedSize": 2466
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "Created; no body under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       },
       "Location": {
        "$ref": "#/components/headers/Location"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "zsh",
         "version": "5.9-4",
         "section": "shells",
         "installedSize": 2466
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "zsh",
         "version": "5.9-4",
         "section": "shells",
         "installedSize": 2466
        }
       }
      }
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "exists",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "delete": {
    "operationId": "removeEntities",
    "tags": [
     "entities"
    ],
    "summary": "Remove by query; needs one of `filter`, `ids`, `all=true`.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/filter"
     },
     {
      "$ref": "#/components/parameters/ids"
     },
     {
      "$ref": "#/components/parameters/all"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     },
     {
      "$ref": "#/components/parameters/target-many"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     }
    ],
    "responses": {
     "200": {
      "description": "The ids removed. With `target=remote`: what became of each.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "oneOf": [
          {
           "$ref": "#/components/schemas/RemoveResult"
          },
          {
           "$ref": "#/components/schemas/RemoteResult"
          }
         ]
        },
        "example": {
         "removed": []
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox, or the list of entries.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/RemoveResult"
        },
        "example": {
         "removed": [
          "5"
         ],
         "outbox": [
          "/v1/_outbox/01a20482-abe5-7177-b972-1ecf5f63e831"
         ]
        }
       }
      }
     },
     "204": {
      "description": "Removed, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-filter",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "x-query": {
    "operationId": "queryEntities",
    "tags": [
     "search"
    ],
    "summary": "Search by the QUERY method, with the query as a JSON body.",
    "description": "With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/live"
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/wait"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/old"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Query"
       }
      }
     },
     "description": "The query. `live`, `since`, `wait`, `throttle`, `heartbeat`, `max` and `old` may stand here, too, in place of the URL."
    },
    "responses": {
     "200": {
      "description": "The matches, or the stream where one is asked for.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Link": {
        "$ref": "#/components/headers/Link"
       },
       "Vary": {
        "$ref": "#/components/headers/Vary"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "anyOf": [
          {
           "$ref": "#/components/schemas/Result"
          },
          {
           "$ref": "#/components/schemas/LongPoll"
          }
         ]
        },
        "example": {
         "items": [
          {
           "id": "01a20482-ab27-7709-8d71-e896fa46a5d9",
           "section": "games"
          }
         ],
         "meta": {
          "revision": 10,
          "cursor": "62wefspt1gex.10",
          "count": 1,
          "source": "local"
         }
        }
       },
       "text/event-stream": {
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"\":{\"mode\":\"snapshot\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":3}}}}\n\nevent: snapshot\nid: 62wefspt1gex.10.2b7e5d59b6441116\ndata: {\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "204": {
      "description": "With `wait`: no news came in time."
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-filter",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/{type}/_search": {
   "post": {
    "operationId": "searchEntitiesByBody",
    "tags": [
     "search"
    ],
    "summary": "Search with the query as a JSON body.",
    "description": "With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/live"
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/wait"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/old"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Query"
       }
      }
     },
     "description": "The query. `live`, `since`, `wait`, `throttle`, `heartbeat`, `max` and `old` may stand here, too, in place of the URL."
    },
    "responses": {
     "200": {
      "description": "The matches, or the stream where one is asked for.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Link": {
        "$ref": "#/components/headers/Link"
       },
       "Vary": {
        "$ref": "#/components/headers/Vary"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "anyOf": [
          {
           "$ref": "#/components/schemas/Result"
          },
          {
           "$ref": "#/components/schemas/LongPoll"
          }
         ]
        },
        "example": {
         "items": [
          {
           "id": "01a20482-ab27-7709-8d71-e896fa46a5d9",
           "section": "games"
          }
         ],
         "meta": {
          "revision": 10,
          "cursor": "62wefspt1gex.10",
          "count": 1,
          "source": "local"
         }
        }
       },
       "text/event-stream": {
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"\":{\"mode\":\"snapshot\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":3}}}}\n\nevent: snapshot\nid: 62wefspt1gex.10.2b7e5d59b6441116\ndata: {\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "204": {
      "description": "With `wait`: no news came in time."
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-filter",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/{type}/_set": {
   "post": {
    "operationId": "setEntities",
    "tags": [
     "entities"
    ],
    "summary": "Set many in one atomic commit.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     },
     {
      "$ref": "#/components/parameters/target-many"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/NewEntity"
        }
       },
       "example": [
        {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       ]
      },
      "application/x-ndjson": {
       "schema": {
        "type": "string",
        "description": "One entity a line."
       },
       "example": "{\"id\":\"bash\",\"section\":\"shells\"}\n{\"id\":\"zsh\",\"section\":\"shells\"}\n"
      }
     }
    },
    "responses": {
     "200": {
      "description": "What became of each. With `target=remote`: what became of each.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "oneOf": [
          {
           "$ref": "#/components/schemas/SetResult"
          },
          {
           "$ref": "#/components/schemas/RemoteResult"
          }
         ]
        },
        "example": {
         "items": [
          {
           "id": "bash",
           "revision": 1,
           "changed": false
          }
         ],
         "meta": {
          "count": 1,
          "changed": 0,
          "revision": 3
         }
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox, or the list of entries.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SetResult"
        },
        "example": {
         "items": [
          {
           "id": "5",
           "revision": 20,
           "changed": true
          }
         ],
         "meta": {
          "count": 1,
          "changed": 1,
          "revision": 20
         },
         "outbox": [
          "/v1/_outbox/01a20482-abdc-73b1-9025-58578bff4d9a"
         ]
        }
       }
      }
     },
     "204": {
      "description": "Set, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/{type}/_remove": {
   "post": {
    "operationId": "removeEntitiesByBody",
    "tags": [
     "entities"
    ],
    "summary": "Remove by ids or by filter.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     },
     {
      "$ref": "#/components/parameters/target-many"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Removal"
       },
       "example": {
        "ids": [
         "bash"
        ]
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The ids removed. With `target=remote`: what became of each.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "oneOf": [
          {
           "$ref": "#/components/schemas/RemoveResult"
          },
          {
           "$ref": "#/components/schemas/RemoteResult"
          }
         ]
        },
        "example": {
         "removed": [
          "bash"
         ]
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox, or the list of entries.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/RemoveResult"
        },
        "example": {
         "removed": [
          "6"
         ],
         "outbox": [
          "/v1/_outbox/01a20482-abef-7e23-a6a7-b2dc0f390476"
         ]
        }
       }
      }
     },
     "204": {
      "description": "Removed, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-filter",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/{type}/{id}": {
   "get": {
    "operationId": "getEntity",
    "tags": [
     "entities"
    ],
    "summary": "Get one; continuous as a search is.",
    "description": "With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/id"
     },
     {
      "$ref": "#/components/parameters/fields"
     },
     {
      "$ref": "#/components/parameters/include"
     },
     {
      "$ref": "#/components/parameters/depth"
     },
     {
      "$ref": "#/components/parameters/meta"
     },
     {
      "$ref": "#/components/parameters/contract"
     },
     {
      "$ref": "#/components/parameters/source"
     },
     {
      "$ref": "#/components/parameters/persist"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     },
     {
      "$ref": "#/components/parameters/live"
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/wait"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/old"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     },
     {
      "$ref": "#/components/parameters/trustRemote"
     },
     {
      "$ref": "#/components/parameters/endpoint"
     }
    ],
    "responses": {
     "200": {
      "description": "The entity; with `include` a result whose one item it is; or the stream where one is asked for.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Vary": {
        "$ref": "#/components/headers/Vary"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "anyOf": [
          {
           "$ref": "#/components/schemas/Entity"
          },
          {
           "$ref": "#/components/schemas/Result"
          },
          {
           "$ref": "#/components/schemas/LongPoll"
          }
         ]
        },
        "example": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       },
       "text/event-stream": {
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"\":{\"mode\":\"snapshot\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":null}}}}\n\nevent: snapshot\nid: 62wefspt1gex.10.7000308e3c45deb2\ndata: {\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"bash\",\"version\":\"5.2.15-2+b2\",\"section\":\"shells\",\"installedSize\":7164}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "204": {
      "description": "With `wait`: no news came in time."
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "precondition-failed",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "head": {
    "operationId": "headEntity",
    "tags": [
     "entities"
    ],
    "summary": "The headers of one.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/id"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     }
    ],
    "responses": {
     "200": {
      "description": "Found.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "304": {
      "description": "Not changed since.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Source": {
        "$ref": "#/components/headers/Freshet-Source"
       },
       "Freshet-Refresh": {
        "$ref": "#/components/headers/Freshet-Refresh"
       },
       "Age": {
        "$ref": "#/components/headers/Age"
       },
       "Freshet-Degraded": {
        "$ref": "#/components/headers/Freshet-Degraded"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "precondition-failed",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   },
   "put": {
    "operationId": "setEntity",
    "tags": [
     "entities"
    ],
    "summary": "Create or replace.",
    "description": "`Prefer: return=minimal` leaves the body out: 201 without one on creation, else 204. It is no parameter here, because a response of this document either has a body or has none.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/id"
     },
     {
      "$ref": "#/components/parameters/If-Match"
     },
     {
      "$ref": "#/components/parameters/If-None-Match-write"
     },
     {
      "$ref": "#/components/parameters/target"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/NewEntity"
       },
       "example": {
        "id": "bash",
        "version": "5.2.15-2+b2",
        "section": "shells",
        "installedSize": 7164
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "Replaced.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       }
      }
     },
     "201": {
      "description": "Created; no body under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       },
       "Location": {
        "$ref": "#/components/headers/Location"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "7",
         "article": "mower"
        }
       }
      }
     },
     "204": {
      "description": "Replaced, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "exists",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "id-mismatch",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "patch": {
    "operationId": "patchEntity",
    "tags": [
     "entities"
    ],
    "summary": "JSON merge patch, RFC 7396.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/id"
     },
     {
      "$ref": "#/components/parameters/If-Match"
     },
     {
      "$ref": "#/components/parameters/If-None-Match-write"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     },
     {
      "$ref": "#/components/parameters/target"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/MergePatch"
       },
       "example": {
        "section": "shells"
       }
      },
      "application/merge-patch+json": {
       "schema": {
        "$ref": "#/components/schemas/MergePatch"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "Patched.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Entity"
        },
        "example": {
         "id": "7",
         "article": "mower",
         "section": "shells"
        }
       }
      }
     },
     "204": {
      "description": "Patched, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "id-mismatch",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   },
   "delete": {
    "operationId": "removeEntity",
    "tags": [
     "entities"
    ],
    "summary": "Remove; 204 also where absent.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     },
     {
      "$ref": "#/components/parameters/id"
     },
     {
      "$ref": "#/components/parameters/If-Match"
     },
     {
      "$ref": "#/components/parameters/If-None-Match-write"
     },
     {
      "$ref": "#/components/parameters/target"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     }
    ],
    "responses": {
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox.",
        "schema": {
         "type": "string"
        }
       }
      }
     },
     "204": {
      "description": "Removed, or absent before.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/_batch": {
   "post": {
    "operationId": "batch",
    "tags": [
     "entities"
    ],
    "summary": "Several operations over any types, all or nothing.",
    "parameters": [
     {
      "$ref": "#/components/parameters/Prefer"
     },
     {
      "$ref": "#/components/parameters/Idempotency-Key"
     },
     {
      "$ref": "#/components/parameters/target-many"
     },
     {
      "$ref": "#/components/parameters/wait-remote"
     },
     {
      "$ref": "#/components/parameters/endpoint-write"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Batch"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "What became of each.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/BatchResult"
        },
        "example": {
         "results": [
          {
           "status": 200,
           "id": "bash",
           "revision": 8,
           "changed": true
          },
          {
           "status": 204,
           "id": "zsh",
           "revision": 8,
           "changed": true
          }
         ],
         "meta": {
          "count": 2,
          "changed": 2,
          "revision": 8
         }
        }
       }
      }
     },
     "202": {
      "description": "With `target=both`: done here, and on its way to the remote.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "The entry in the outbox, or the list of entries.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/BatchResult"
        },
        "example": {
         "results": [
          {
           "status": 201,
           "id": "6",
           "revision": 28,
           "changed": true
          }
         ],
         "meta": {
          "count": 1,
          "changed": 1,
          "revision": 28
         },
         "outbox": [
          "/v1/_outbox/01a20482-abe3-7f02-a02a-9af9b6a887fe"
         ]
        }
       }
      }
     },
     "204": {
      "description": "Done, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "502": {
      "$ref": "#/components/responses/BadGateway"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "504": {
      "$ref": "#/components/responses/GatewayTimeout"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "auth-critical",
     "auth-loop",
     "auth-refresh",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "upstream-shape",
     "upstream-status",
     "upstream-timeout",
     "upstream-too-large",
     "upstream-unreachable",
     "uri-too-long"
    ]
   }
  },
  "/v1/_types": {
   "get": {
    "operationId": "listDeclaredTypes",
    "tags": [
     "types"
    ],
    "summary": "Declared schemas, and how many entities do not fit them.",
    "responses": {
     "200": {
      "description": "The types.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/TypeList"
        },
        "example": {
         "items": [
          {
           "name": "comment",
           "count": 0,
           "unfit": 0,
           "sources": [],
           "declared": true,
           "schema": {
            "name": "comment",
            "properties": {},
            "additionalProperties": true,
            "relationships": {
             "author": {
              "type": "person",
              "association": "one"
             }
            },
            "indexes": [],
            "contracts": {},
            "store": "memory"
           },
           "indexes": []
          },
          {
           "name": "order",
           "count": 0,
           "unfit": 0,
           "sources": [
            "away"
           ],
           "declared": true,
           "schema": {
            "name": "order",
            "properties": {},
            "additionalProperties": true,
            "relationships": {},
            "indexes": [],
            "contracts": {},
            "store": "file"
           },
           "indexes": []
          },
          {
           "name": "package",
           "count": 2,
           "unfit": 0,
           "sources": [],
           "declared": true,
           "schema": {
            "name": "package",
            "properties": {
             "section": {
              "type": "string"
             },
             "version": {
              "type": "string"
             },
             "installedSize": {
              "type": "integer",
              "minimum": 0
             }
            },
            "additionalProperties": true,
            "relationships": {
             "author": {
              "type": "person",
              "association": "one"
             },
             "comments": {
              "type": "comment",
              "by": "package"
             }
            },
            "indexes": [
             "section"
            ],
            "contracts": {
             "card": {
              "requires": [
               "section"
              ]
             }
            },
            "store": "file"
           },
           "indexes": [
            {
             "keys": "section",
             "state": "ready",
             "entries": 2,
             "bytes": 1816
            }
           ]
          },
          {
           "name": "person",
           "count": 0,
           "unfit": 0,
           "sources": [],
           "declared": true,
           "schema": {
            "name": "person",
            "properties": {},
            "additionalProperties": true,
            "relationships": {},
            "indexes": [],
            "contracts": {},
            "store": "memory"
           },
           "indexes": []
          },
          {
           "name": "todo",
           "count": 0,
           "unfit": 0,
           "sources": [
            "api"
           ],
           "declared": true,
           "schema": {
            "name": "todo",
            "properties": {},
            "additionalProperties": true,
            "relationships": {},
            "indexes": [],
            "contracts": {},
            "store": "file"
           },
           "indexes": []
          }
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "query-timeout",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_types/{type}": {
   "get": {
    "operationId": "getDeclaredType",
    "tags": [
     "types"
    ],
    "summary": "The declared schema of one type, and the first entities that do not fit it.",
    "parameters": [
     {
      "$ref": "#/components/parameters/type"
     }
    ],
    "responses": {
     "200": {
      "description": "The type.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/TypeDescription"
        },
        "example": {
         "name": "package",
         "count": 2,
         "unfit": 0,
         "sources": [],
         "declared": true,
         "schema": {
          "name": "package",
          "properties": {
           "section": {
            "type": "string"
           },
           "version": {
            "type": "string"
           },
           "installedSize": {
            "type": "integer",
            "minimum": 0
           }
          },
          "additionalProperties": true,
          "relationships": {
           "author": {
            "type": "person",
            "association": "one"
           },
           "comments": {
            "type": "comment",
            "by": "package"
           }
          },
          "indexes": [
           "section"
          ],
          "contracts": {
           "card": {
            "requires": [
             "section"
            ]
           }
          },
          "store": "file"
         },
         "indexes": [
          {
           "keys": "section",
           "state": "ready",
           "entries": 2,
           "bytes": 1816
          }
         ],
         "unfitEntities": []
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "query-timeout",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_export": {
   "get": {
    "operationId": "exportEntities",
    "tags": [
     "store"
    ],
    "summary": "Everything at one revision, `{\"type\",\"entity\"}` a line.",
    "parameters": [
     {
      "$ref": "#/components/parameters/only"
     }
    ],
    "responses": {
     "200": {
      "description": "NDJSON.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/x-ndjson": {
        "schema": {
         "type": "string"
        },
        "example": "{\"type\":\"package\",\"entity\":{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"}}\n"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "query-timeout",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_import": {
   "post": {
    "operationId": "importEntities",
    "tags": [
     "store"
    ],
    "summary": "Set what `_export` gave.",
    "description": "Commits in parts of 4,000 entities: an import that fits one part is whole or absent. Entities are checked against the declared types, and defaults are added, unless `verbatim=true`: then they are stored exactly as they stand, also where the declaration of their type has become stricter since the export. With `type` each line is an entity of that type alone.",
    "parameters": [
     {
      "$ref": "#/components/parameters/only"
     },
     {
      "$ref": "#/components/parameters/verbatim"
     },
     {
      "$ref": "#/components/parameters/Prefer"
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ImportLine"
       },
       "example": {
        "type": "package",
        "entity": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       }
      },
      "application/x-ndjson": {
       "schema": {
        "type": "string",
        "description": "`{\"type\",\"entity\"}` a line; with the parameter `type` the entity alone."
       },
       "example": "{\"type\":\"package\",\"entity\":{\"id\":\"bash\",\"section\":\"shells\"}}\n"
      }
     }
    },
    "responses": {
     "200": {
      "description": "The counts.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ImportResult"
        },
        "example": {
         "meta": {
          "count": 1,
          "changed": 0,
          "revision": 8
         }
        }
       }
      }
     },
     "204": {
      "description": "Set, under `return=minimal`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       },
       "Freshet-Durability": {
        "$ref": "#/components/headers/Freshet-Durability"
       },
       "Freshet-Changed": {
        "$ref": "#/components/headers/Freshet-Changed"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "idempotency-in-progress",
     "idempotency-mismatch",
     "internal",
     "invalid-entity",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "precondition-failed",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "too-many-entities",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_live": {
   "get": {
    "operationId": "watchSeveral",
    "tags": [
     "live"
    ],
    "summary": "Several live queries on one connection; without any, what is open, for administration.",
    "parameters": [
     {
      "name": "q",
      "in": "query",
      "description": "Written `q.a=\u2026&q.b=\u2026`: the relative URL of a search or of an entity, by a name of the client's, 1 to 32 of `A-Z a-z 0-9 _ -`. It may carry `live` (default delta) and `old`.",
      "style": "form",
      "explode": true,
      "schema": {
       "type": "object",
       "additionalProperties": {
        "type": "string",
        "pattern": "^[^\\u0000]*$"
       }
      },
      "example": {
       "a": "/v1/package?filter=section=='games'"
      }
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     }
    ],
    "responses": {
     "200": {
      "description": "Events without end: `hello`, then for each query `snapshot` and `delta`, and one `sync` per cut, which alone has the id. HEAD gets the headers.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "text/event-stream": {
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        },
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"a\":{\"mode\":\"delta\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":100}}}}\n\nevent: snapshot\ndata: {\"q\":\"a\",\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n"
       },
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/LiveOverview"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "422": {
      "description": "More than 100 queries: `too-many-queries`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/problem+json": {
        "schema": {
         "$ref": "#/components/schemas/Problem"
        }
       }
      }
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-filter",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   },
   "post": {
    "operationId": "createSession",
    "tags": [
     "live"
    ],
    "summary": "Prepare a stream of several queries for a client that cannot send headers with it.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/SessionQueries"
       },
       "example": {
        "queries": {
         "a": "/v1/package?filter=section=='games'"
        }
       }
      }
     }
    },
    "responses": {
     "201": {
      "description": "Prepared: `url` is its stream, to be opened first before `expires`. Unwatched for five minutes it is forgotten.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "description": "Where it is changed and ended.",
        "schema": {
         "type": "string"
        }
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Session"
        },
        "example": {
         "session": "d54c8aac304cccd047ee7bce70709e8a",
         "url": "/v1/_live/d54c8aac304cccd047ee7bce70709e8a?ticket=058deee76b8341a341b3580f3d50faee",
         "expires": "2026-11-22T18:27:42.115Z"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "422": {
      "description": "More than 100 queries: `too-many-queries`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/problem+json": {
        "schema": {
         "$ref": "#/components/schemas/Problem"
        }
       }
      }
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-filter",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "too-many-sessions",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type"
    ]
   }
  },
  "/v1/_live/{session}": {
   "parameters": [
    {
     "name": "session",
     "in": "path",
     "required": true,
     "description": "What `POST /v1/_live` has named.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "0f1e2d3c"
    }
   ],
   "get": {
    "operationId": "watchSession",
    "tags": [
     "live"
    ],
    "summary": "The stream of a session; a second one replaces the first.",
    "parameters": [
     {
      "name": "ticket",
      "in": "query",
      "description": "Stands in the url that `POST /v1/_live` has answered; in place of a token.",
      "schema": {
       "type": "string",
       "pattern": "^[^\\u0000]*$"
      }
     },
     {
      "$ref": "#/components/parameters/since"
     },
     {
      "$ref": "#/components/parameters/throttle"
     },
     {
      "$ref": "#/components/parameters/heartbeat"
     },
     {
      "$ref": "#/components/parameters/max"
     },
     {
      "$ref": "#/components/parameters/Last-Event-ID"
     }
    ],
    "responses": {
     "200": {
      "description": "Events without end: `hello`, then for each query `snapshot` and `delta`, and one `sync` per cut, which alone has the id. HEAD gets the headers.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "text/event-stream": {
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        },
        "example": "event: hello\ndata: {\"protocol\":1,\"heartbeat\":15,\"queries\":{\"a\":{\"mode\":\"delta\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":100}},\"c\":{\"mode\":\"delta\",\"index\":\"hash\",\"window\":{\"offset\":0,\"limit\":null}}}}\n\nevent: snapshot\ndata: {\"q\":\"a\",\"v\":10,\"why\":\"initial\",\"items\":[{\"id\":\"01a20482-ab27-7709-8d71-e896fa46a5d9\",\"section\":\"games\"}],\"part\":0,\"more\":false,\"source\":\"local\",\"stale\":false}\n\n"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-filter",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unknown-type",
     "uri-too-long"
    ]
   },
   "patch": {
    "operationId": "changeSession",
    "tags": [
     "live"
    ],
    "summary": "Add and remove queries of a session, all or none, without a new connection.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/SessionChanges"
       },
       "example": {
        "queries": {
         "b": null,
         "c": "/v1/package/bash"
        }
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The queries that it has now.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SessionState"
        },
        "example": {
         "session": "d54c8aac304cccd047ee7bce70709e8a",
         "queries": {
          "a": "/v1/package?filter=section=='games'",
          "c": "/v1/package/bash"
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "422": {
      "description": "More than 100 queries: `too-many-queries`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/problem+json": {
        "schema": {
         "$ref": "#/components/schemas/Problem"
        }
       }
      }
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-filter",
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "query-timeout",
     "query-too-complex",
     "rate-limited",
     "recovering",
     "shutting-down",
     "snapshot-too-large",
     "too-many-live-queries",
     "too-many-queries",
     "too-many-residual-queries",
     "unauthenticated",
     "unknown-type",
     "unsupported-media-type"
    ]
   },
   "delete": {
    "operationId": "endSession",
    "tags": [
     "live"
    ],
    "summary": "End a session and its stream.",
    "responses": {
     "204": {
      "description": "Ended.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated"
    ]
   }
  },
  "/v1/_store/reopen": {
   "post": {
    "operationId": "reopenStore",
    "summary": "Take writes again after a disk failure",
    "description": "Reads the log again and takes writes where it is sound. A store that has not failed stays as it is.",
    "tags": [
     "store"
    ],
    "responses": {
     "200": {
      "description": "The state of the store.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/StoreState"
        },
        "example": {
         "state": "ready",
         "revision": 17
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated"
    ]
   }
  },
  "/v1/_upstreams": {
   "get": {
    "operationId": "listUpstreams",
    "summary": "The upstreams and how they can be reached",
    "description": "Link, health, load, counters and the credential's state of each configured upstream.",
    "tags": [
     "remotes"
    ],
    "responses": {
     "200": {
      "description": "In the order of the configuration.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/UpstreamList"
        },
        "example": {
         "items": [
          {
           "id": "away",
           "base": "http://127.0.0.1:1",
           "link": "connected",
           "since": "2026-11-22T18:26:41.779Z",
           "limitedUntil": null,
           "nextRecoveryProbe": null,
           "lastFailure": null,
           "healthy": null,
           "probe": null,
           "load": {
            "active": 0,
            "waiting": 0,
            "places": 8
           },
           "counters": {
            "calls": 0,
            "exchanges": 0,
            "retries": 0,
            "failures": 0,
            "cancelled": 0,
            "bytes": 0,
            "dropped": 0
           },
           "credential": null
          },
          {
           "id": "api",
           "base": "http://127.0.0.1:8081",
           "link": "connected",
           "since": "2026-11-22T18:26:41.779Z",
           "limitedUntil": null,
           "nextRecoveryProbe": null,
           "lastFailure": null,
           "healthy": null,
           "probe": null,
           "load": {
            "active": 0,
            "waiting": 0,
            "places": 8
           },
           "counters": {
            "calls": 0,
            "exchanges": 0,
            "retries": 0,
            "failures": 0,
            "cancelled": 0,
            "bytes": 0,
            "dropped": 0
           },
           "credential": {
            "state": "ready",
            "version": 1,
            "valid": true,
            "expiresAt": "2026-11-22T19:26:41.785Z"
           }
          }
         ]
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "rate-limited",
     "unauthenticated"
    ]
   }
  },
  "/v1/_upstreams/{id}/credential": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The upstream's name in the configuration.",
     "schema": {
      "type": "string",
      "minLength": 1,
      "pattern": "^[^\\u0000]*$"
     },
     "example": "api"
    }
   ],
   "get": {
    "operationId": "describeCredential",
    "summary": "The state of an upstream's credential",
    "description": "State, version, expiry and counts. Tokens are never shown.",
    "tags": [
     "remotes"
    ],
    "responses": {
     "200": {
      "description": "The state of the credential; never a token.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Credential"
        },
        "example": {
         "upstream": "api",
         "type": "oauth2",
         "grant": "client_credentials",
         "state": "ready",
         "version": 1,
         "valid": true,
         "expiresAt": "2026-11-22T19:26:41.785Z",
         "refreshToken": true,
         "persisted": false,
         "retryAt": null,
         "reason": null,
         "waiting": 0,
         "counts": {
          "refreshes": 0,
          "failures": 0,
          "timeouts": 0,
          "accepted": 0,
          "refused": 0,
          "late": 0,
          "loops": 0
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "rate-limited",
     "unauthenticated"
    ]
   },
   "put": {
    "operationId": "setCredential",
    "summary": "Store an operator's tokens",
    "description": "Puts these tokens in place of all that there are, as the next version, and ends a failed or critical state. Requests that wait for a refresh get this token; a refresh that runs is given up. Without a refresh token none is kept.",
    "tags": [
     "remotes"
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/CredentialTokens"
       },
       "example": {
        "accessToken": "2YotnFZFEjr1zCsicMWpAA",
        "refreshToken": "tGzv3JOkF0XG5Qx2TlKWIA",
        "expiresIn": 3600
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The state of the credential; never a token.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Credential"
        },
        "example": {
         "upstream": "api",
         "type": "oauth2",
         "grant": "client_credentials",
         "state": "ready",
         "version": 1,
         "valid": true,
         "expiresAt": "2026-11-22T19:26:41.785Z",
         "refreshToken": true,
         "persisted": false,
         "retryAt": null,
         "reason": null,
         "waiting": 0,
         "counts": {
          "refreshes": 0,
          "failures": 0,
          "timeouts": 0,
          "accepted": 0,
          "refused": 0,
          "late": 0,
          "loops": 0
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unsupported-media-type"
    ]
   },
   "delete": {
    "operationId": "removeCredential",
    "summary": "Forget an upstream's tokens",
    "description": "Forgets the tokens, on the disk as well, and ends a failed or critical state. A configured refresh token is used again.",
    "tags": [
     "remotes"
    ],
    "responses": {
     "204": {
      "description": "Forgotten."
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated"
    ]
   }
  },
  "/livez": {
   "get": {
    "operationId": "livez",
    "tags": [
     "service"
    ],
    "summary": "The process runs.",
    "responses": {
     "200": {
      "description": "Alive.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "status": "live"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/readyz": {
   "get": {
    "operationId": "readyz",
    "tags": [
     "service"
    ],
    "summary": "Ready, with a reason per store.",
    "responses": {
     "200": {
      "description": "Ready.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "status": "ready",
         "stores": {
          "main": {
           "state": "ready",
           "reason": "",
           "revision": 37,
           "recovery": {
            "durationMs": 103,
            "entities": 0,
            "commits": 0,
            "snapshot": null,
            "setAside": null,
            "setAsideBytes": 0,
            "fallback": []
           }
          }
         }
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/metrics": {
   "get": {
    "operationId": "metrics",
    "tags": [
     "service"
    ],
    "summary": "Prometheus text format.",
    "responses": {
     "200": {
      "description": "Counters and gauges.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        },
        "example": "# HELP freshet_info Always 1; the label is the version that runs.\n"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/version": {
   "get": {
    "operationId": "version",
    "tags": [
     "service"
    ],
    "summary": "The build.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The version.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "name": "freshet",
         "version": "0.1.0"
        }
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/openapi.json": {
   "get": {
    "operationId": "openapi",
    "tags": [
     "service"
    ],
    "summary": "This description; with `types=declared` with the declared types, too.",
    "responses": {
     "200": {
      "description": "OpenAPI 3.1.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "openapi": "3.1.0",
         "info": {
          "title": "Freshet",
          "version": "1"
         },
         "paths": {}
        }
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {},
     {
      "bearer": []
     }
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ],
    "description": "`types=declared` adds paths, answers and bodies for each declared type that the caller may read, so that a generated client knows its properties. It takes a token where access rules are in force.",
    "parameters": [
     {
      "$ref": "#/components/parameters/types"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ]
   }
  },
  "/problems": {
   "get": {
    "operationId": "problems",
    "tags": [
     "pages"
    ],
    "summary": "Every problem code.",
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/problems/{code}": {
   "get": {
    "operationId": "problem",
    "tags": [
     "pages"
    ],
    "summary": "A human page on a problem code.",
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       },
       "text/plain": {
        "schema": {
         "type": "string"
        },
        "example": "bad-filter (400)\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "parameters": [
     {
      "name": "code",
      "in": "path",
      "required": true,
      "schema": {
       "type": "string",
       "pattern": "^[a-z][a-z-]{0,63}$"
      },
      "example": "bad-filter"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/docs": {
   "get": {
    "operationId": "documentation",
    "tags": [
     "pages"
    ],
    "summary": "The documentation: every page.",
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       },
       "text/markdown": {
        "schema": {
         "type": "string"
        },
        "example": "# Freshet documentation\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/docs/{page}": {
   "get": {
    "operationId": "documentationPage",
    "tags": [
     "pages"
    ],
    "summary": "A page of the documentation, its source (`NAME.md`), or a file for another program.",
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       },
       "text/markdown": {
        "schema": {
         "type": "string"
        },
        "example": "# Filter\n"
       },
       "text/css": {
        "schema": {
         "type": "string"
        },
        "example": "body.doc { max-width: 50rem; }\n"
       },
       "application/yaml": {
        "schema": {
         "type": "string"
        },
        "example": "# Alert rules for Prometheus: save this as a file that `rule_files` names.\n"
       },
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Object"
        },
        "example": {
         "title": "Freshet"
        }
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "parameters": [
     {
      "name": "page",
      "in": "path",
      "required": true,
      "schema": {
       "type": "string",
       "pattern": "^[a-z][a-z-]{0,63}([.](md|css|yaml|json))?$"
      },
      "example": "filter"
     },
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/llms.txt": {
   "get": {
    "operationId": "documentationList",
    "tags": [
     "pages"
    ],
    "summary": "Every page of the documentation, by the addresses of their sources.",
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/plain": {
        "schema": {
         "type": "string"
        },
        "example": "# Freshet documentation\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/live.js": {
   "get": {
    "operationId": "liveModule",
    "tags": [
     "pages"
    ],
    "summary": "The browser module for live queries: one connection for all tabs of an origin.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The module.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/javascript": {
        "schema": {
         "type": "string"
        },
        "example": "// Live queries of Freshet for browsers.\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/live.html": {
   "get": {
    "operationId": "livePage",
    "tags": [
     "pages"
    ],
    "summary": "A page that shows a live query, by that module.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The page.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/html": {
        "schema": {
         "type": "string"
        },
        "example": "<!doctype html>\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/live-page.js": {
   "get": {
    "operationId": "livePageScript",
    "tags": [
     "pages"
    ],
    "summary": "What the page of a live query does.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The module.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/javascript": {
        "schema": {
         "type": "string"
        },
        "example": "// What /live.html does: it shows one live query as a table.\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/console.css": {
   "get": {
    "operationId": "stylesheet",
    "tags": [
     "pages"
    ],
    "summary": "The style of all pages.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The style sheet.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "text/css": {
        "schema": {
         "type": "string"
        },
        "example": ":root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/favicon.svg": {
   "get": {
    "operationId": "favicon",
    "tags": [
     "pages"
    ],
    "summary": "The service's icon.",
    "parameters": [
     {
      "$ref": "#/components/parameters/If-None-Match"
     },
     {
      "$ref": "#/components/parameters/If-Match-read"
     }
    ],
    "responses": {
     "200": {
      "description": "The image.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      },
      "content": {
       "image/svg+xml": {
        "schema": {
         "type": "string"
        },
        "example": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><path fill=\"none\" stroke=\"#3b82f6\" stroke-width=\"2\" stroke-linecap=\"round\" d=\"M1.5 5q3.25-3 6.5 0t6.5 0M1.5 10.500q3.25-3 6.500 0t6.500 0\"/></svg>\n"
       }
      }
     },
     "304": {
      "description": "The client has this state.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "ETag": {
        "$ref": "#/components/headers/ETag"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "412": {
      "$ref": "#/components/responses/PreconditionFailed"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "precondition-failed",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/favicon.ico": {
   "get": {
    "operationId": "faviconOfOld",
    "tags": [
     "pages"
    ],
    "summary": "Where browsers look for an icon by themselves.",
    "responses": {
     "308": {
      "description": "The icon is at `/favicon.svg`.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Location": {
        "$ref": "#/components/headers/Location"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "recovering",
     "shutting-down",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations": {
   "get": {
    "operationId": "listOperations",
    "tags": [
     "operations"
    ],
    "summary": "What is asked of remotes, and how it stands.",
    "parameters": [
     {
      "name": "prefix",
      "in": "query",
      "description": "Only operations whose id begins so.",
      "schema": {
       "type": "string",
       "pattern": "^[^\\u0000]*$"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The operations, in the order of their ids.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OperationList"
        },
        "example": {
         "items": [
          {
           "id": "todo-pages",
           "kind": "pages",
           "status": "idle",
           "isLoading": false,
           "isStale": true,
           "valueVersion": 0,
           "valueUpdatedAt": null,
           "count": null,
           "error": null,
           "errorUpdatedAt": null,
           "failures": 0,
           "automatic": true,
           "subscribers": 0,
           "run": null,
           "lastRun": null,
           "edges": {
            "rises": 0,
            "falls": 0,
            "runs": 0,
            "skipped": {
             "gate": 0,
             "fresh": 0,
             "subscribers": 0
            }
           },
           "controllers": []
          },
          {
           "id": "todos",
           "kind": "query",
           "status": "idle",
           "isLoading": false,
           "isStale": true,
           "valueVersion": 0,
           "valueUpdatedAt": null,
           "count": null,
           "error": null,
           "errorUpdatedAt": null,
           "failures": 0,
           "automatic": true,
           "subscribers": 0,
           "run": null,
           "lastRun": null,
           "edges": {
            "rises": 0,
            "falls": 0,
            "runs": 0,
            "skipped": {
             "gate": 0,
             "fresh": 0,
             "subscribers": 0
            }
           },
           "controllers": []
          }
         ]
        }
       }
      }
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "get": {
    "operationId": "getOperation",
    "tags": [
     "operations"
    ],
    "summary": "One operation, or what happens to it as events: state, run-started, result, run-ended.",
    "parameters": [
     {
      "name": "live",
      "in": "query",
      "description": "1: as events.",
      "schema": {
       "$ref": "#/components/schemas/LiveSwitch"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The operation.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "idle",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 0,
         "valueUpdatedAt": null,
         "count": null,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": null,
         "lastRun": null,
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       },
       "text/event-stream": {
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        },
        "example": "event: state\ndata: {\"id\":\"todos\",\"kind\":\"query\",\"status\":\"success\",\"isLoading\":false,\"isStale\":true,\"valueVersion\":2,\"valueUpdatedAt\":\"2026-11-22T18:26:42.150Z\",\"count\":3,\"error\":null,\"errorUpdatedAt\":null,\"failures\":0,\"automatic\":true,\"subscribers\":0,\"run\":null,\"lastRun\":{\"id\":\"r-2\",\"origin\":\"manual\",\"outcome\":\"success\",\"attempts\":1,\"startedAt\":\"2026-11-22T18:26:42.148Z\",\"durationMs\":1},\"edges\":{\"rises\":0,\"falls\":0,\"runs\":0,\"skipped\":{\"gate\":0,\"fresh\":0,\"subscribers\":0}},\"controllers\":[]}\n\n"
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   },
   "delete": {
    "operationId": "removeOperation",
    "tags": [
     "operations"
    ],
    "summary": "Forget an operation's state; a configured one is as new.",
    "responses": {
     "204": {
      "description": "It is forgotten.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/run": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "post": {
    "operationId": "runOperation",
    "tags": [
     "operations"
    ],
    "summary": "Run an operation, or join the run under way.",
    "parameters": [
     {
      "name": "wait",
      "in": "query",
      "description": "1: answered at the end of the run; a client that leaves is interested no more.",
      "schema": {
       "$ref": "#/components/schemas/Digit",
       "default": "0"
      }
     }
    ],
    "requestBody": {
     "description": "The entity, for a mutation; nothing for all else.",
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Entity"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The operation behind the run; how that ended stands in it.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "success",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 2,
         "valueUpdatedAt": "2026-11-22T18:26:42.150Z",
         "count": 3,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": null,
         "lastRun": {
          "id": "r-2",
          "origin": "manual",
          "outcome": "success",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.148Z",
          "durationMs": 1
         },
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "202": {
      "description": "The operation; the run has begun.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "loading",
         "isLoading": true,
         "isStale": true,
         "valueVersion": 0,
         "valueUpdatedAt": null,
         "count": null,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": {
          "id": "r-1",
          "origin": "manual",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.123Z"
         },
         "lastRun": null,
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "422": {
      "$ref": "#/components/responses/InvalidEntity"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "id-mismatch",
     "internal",
     "invalid-entity",
     "not-found",
     "not-runnable",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/cancel": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "post": {
    "operationId": "cancelOperation",
    "tags": [
     "operations"
    ],
    "summary": "End the run under way, whoever waits for it.",
    "responses": {
     "200": {
      "description": "The operation as it is now.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "success",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 2,
         "valueUpdatedAt": "2026-11-22T18:26:42.150Z",
         "count": 3,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": null,
         "lastRun": {
          "id": "r-2",
          "origin": "manual",
          "outcome": "success",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.148Z",
          "durationMs": 1
         },
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/invalidate": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "post": {
    "operationId": "invalidateOperation",
    "tags": [
     "operations"
    ],
    "summary": "Declare the value out of date.",
    "responses": {
     "200": {
      "description": "The operation as it is now.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "success",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 2,
         "valueUpdatedAt": "2026-11-22T18:26:42.150Z",
         "count": 3,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": null,
         "lastRun": {
          "id": "r-2",
          "origin": "manual",
          "outcome": "success",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.148Z",
          "durationMs": 1
         },
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/reset": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "post": {
    "operationId": "resetOperation",
    "tags": [
     "operations"
    ],
    "summary": "Forget value, error and counts; what comes late is ignored.",
    "responses": {
     "200": {
      "description": "The operation as it is now.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "idle",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 0,
         "valueUpdatedAt": null,
         "count": null,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": false,
         "subscribers": 0,
         "run": null,
         "lastRun": null,
         "edges": {
          "rises": 0,
          "falls": 1,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/pages/{direction}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todo-pages"
    },
    {
     "name": "direction",
     "in": "path",
     "required": true,
     "description": "Which page.",
     "schema": {
      "$ref": "#/components/schemas/PageDirection"
     },
     "example": "next"
    }
   ],
   "post": {
    "operationId": "fetchPages",
    "tags": [
     "operations"
    ],
    "summary": "Fetch the page behind those that are held, the one before them, or all of them anew.",
    "parameters": [
     {
      "name": "wait",
      "in": "query",
      "description": "1: answered at the end of the run; a client that leaves is interested no more.",
      "schema": {
       "$ref": "#/components/schemas/Digit",
       "default": "0"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The operation behind the run; how that ended stands in it.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todo-pages",
         "kind": "pages",
         "status": "success",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 2,
         "valueUpdatedAt": "2026-11-22T18:26:42.179Z",
         "count": 3,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": null,
         "lastRun": {
          "id": "r-2",
          "origin": "manual",
          "outcome": "success",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.177Z",
          "durationMs": 1
         },
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "202": {
      "description": "The operation; the run has begun.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todo-pages",
         "kind": "pages",
         "status": "loading",
         "isLoading": true,
         "isStale": true,
         "valueVersion": 0,
         "valueUpdatedAt": null,
         "count": null,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": true,
         "subscribers": 0,
         "run": {
          "id": "r-1",
          "origin": "manual",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.152Z"
         },
         "lastRun": null,
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "gated",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "not-runnable",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/active": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "put": {
    "operationId": "switchOperation",
    "tags": [
     "operations"
    ],
    "summary": "Turn an operation's switch.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Activation"
       },
       "example": {
        "active": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The operation as it is now.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Operation"
        },
        "example": {
         "id": "todos",
         "kind": "query",
         "status": "success",
         "isLoading": false,
         "isStale": true,
         "valueVersion": 2,
         "valueUpdatedAt": "2026-11-22T18:26:42.150Z",
         "count": 3,
         "error": null,
         "errorUpdatedAt": null,
         "failures": 0,
         "automatic": false,
         "subscribers": 0,
         "run": null,
         "lastRun": {
          "id": "r-2",
          "origin": "manual",
          "outcome": "success",
          "attempts": 1,
          "startedAt": "2026-11-22T18:26:42.148Z",
          "durationMs": 1
         },
         "edges": {
          "rises": 0,
          "falls": 1,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "controllers": []
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_operations/{id}/specs": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an operation.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "todos"
    }
   ],
   "get": {
    "operationId": "getOperationSpecs",
    "tags": [
     "operations"
    ],
    "summary": "How each specification of an operation comes about.",
    "responses": {
     "200": {
      "description": "The specifications.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OperationSpecs"
        },
        "example": {
         "id": "todos",
         "question": "todo\norder [\"id\"]\nwindow 0 100",
         "active": true,
         "automatic": {
          "satisfied": true,
          "nextChange": null,
          "trace": [
           {
            "pointer": "/automatic",
            "value": true
           },
           {
            "pointer": "/automatic/and/0",
            "value": true
           },
           {
            "pointer": "/automatic/and/1",
            "value": true
           }
          ]
         },
         "stale": {
          "satisfied": true,
          "nextChange": null,
          "trace": [
           {
            "pointer": "/stale",
            "value": true
           }
          ]
         },
         "when": {
          "satisfied": true,
          "nextChange": null,
          "trace": [
           {
            "pointer": "/refetch/when",
            "value": true
           },
           {
            "pointer": "/refetch/when/and/0",
            "value": true
           },
           {
            "pointer": "/refetch/when/and/0/and/0",
            "value": true
           },
           {
            "pointer": "/refetch/when/and/0/and/1",
            "value": true
           },
           {
            "pointer": "/refetch/when/and/1",
            "value": true
           }
          ]
         },
         "admit": {
          "satisfied": true,
          "nextChange": null,
          "trace": [
           {
            "pointer": "/admit/when",
            "value": true
           }
          ]
         },
         "edges": {
          "rises": 0,
          "falls": 0,
          "runs": 0,
          "skipped": {
           "gate": 0,
           "fresh": 0,
           "subscribers": 0
          }
         },
         "nextRun": null
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_service/active": {
   "get": {
    "operationId": "showServiceSwitch",
    "tags": [
     "service"
    ],
    "summary": "The switch of the service, which gates read.",
    "responses": {
     "200": {
      "description": "The switch.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Activation"
        },
        "example": {
         "active": true
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   },
   "put": {
    "operationId": "switchService",
    "tags": [
     "service"
    ],
    "summary": "Turn the switch of the service, which gates read.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/Activation"
       },
       "example": {
        "active": true
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The switch.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Activation"
        },
        "example": {
         "active": true
        }
       }
      }
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_outbox": {
   "get": {
    "operationId": "listOutbox",
    "tags": [
     "remotes"
    ],
    "summary": "Changes for remotes, oldest first.",
    "parameters": [
     {
      "name": "state",
      "in": "query",
      "description": "Only entries in this state.",
      "schema": {
       "$ref": "#/components/schemas/OutboxState"
      }
     },
     {
      "name": "limit",
      "in": "query",
      "description": "The most entries.",
      "schema": {
       "type": "integer",
       "minimum": 0,
       "maximum": 1000,
       "default": 100
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The entries.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OutboxList"
        },
        "example": {
         "items": [
          {
           "id": "01a20482-abda-72d8-bb38-5f31d81d444e",
           "number": 1,
           "type": "order",
           "entity": "zsh",
           "operation": "create",
           "state": "pending",
           "attempts": 1,
           "sent": true,
           "revision": 18,
           "createdAt": "2026-11-22T18:26:42.266Z",
           "nextAttemptAt": "2026-11-22T18:26:43.114Z",
           "problem": {
            "code": "upstream-unreachable",
            "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
           },
           "body": {
            "id": "zsh",
            "version": "5.9-4",
            "section": "shells",
            "installedSize": 2466
           }
          },
          {
           "id": "01a20482-abdc-73b1-9025-58578bff4d9a",
           "number": 2,
           "type": "order",
           "entity": "5",
           "operation": "create",
           "state": "pending",
           "attempts": 1,
           "sent": true,
           "revision": 20,
           "createdAt": "2026-11-22T18:26:42.268Z",
           "nextAttemptAt": "2026-11-22T18:26:42.825Z",
           "problem": {
            "code": "upstream-unreachable",
            "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
           },
           "body": {
            "id": "5",
            "article": "paint"
           }
          },
          {
           "id": "01a20482-abde-79ee-831c-0ceaf99fc288",
           "number": 3,
           "type": "order",
           "entity": "7",
           "operation": "create",
           "state": "pending",
           "attempts": 1,
           "sent": true,
           "revision": 23,
           "createdAt": "2026-11-22T18:26:42.270Z",
           "nextAttemptAt": "2026-11-22T18:26:43.213Z",
           "problem": {
            "code": "upstream-unreachable",
            "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
           },
           "body": {
            "id": "7",
            "article": "mower"
           }
          },
          {
           "id": "01a20482-abe1-7db4-9e3a-370491437a90",
           "number": 4,
           "type": "order",
           "entity": "7",
           "operation": "update",
           "state": "pending",
           "attempts": 0,
           "sent": false,
           "revision": 26,
           "createdAt": "2026-11-22T18:26:42.273Z",
           "body": {
            "id": "7",
            "article": "mower",
            "section": "shells"
           },
           "before": {
            "id": "7",
            "article": "mower"
           }
          },
          {
           "id": "01a20482-abe3-7f02-a02a-9af9b6a887fe",
           "number": 5,
           "type": "order",
           "entity": "6",
           "operation": "create",
           "state": "pending",
           "attempts": 1,
           "sent": true,
           "revision": 28,
           "createdAt": "2026-11-22T18:26:42.275Z",
           "nextAttemptAt": "2026-11-22T18:26:42.976Z",
           "problem": {
            "code": "upstream-unreachable",
            "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
           },
           "body": {
            "id": "6",
            "article": "fins"
           }
          },
          {
           "id": "01a20482-abe4-7bed-b1be-9615a5a0d90e",
           "number": 6,
           "type": "order",
           "entity": "7",
           "operation": "remove",
           "state": "pending",
           "attempts": 0,
           "sent": false,
           "revision": 31,
           "createdAt": "2026-11-22T18:26:42.276Z",
           "before": {
            "id": "7",
            "article": "mower",
            "section": "shells"
           }
          },
          {
           "id": "01a20482-abe5-7177-b972-1ecf5f63e831",
           "number": 7,
           "type": "order",
           "entity": "5",
           "operation": "remove",
           "state": "pending",
           "attempts": 0,
           "sent": false,
           "revision": 32,
           "createdAt": "2026-11-22T18:26:42.277Z",
           "before": {
            "id": "5",
            "article": "paint"
           }
          },
          {
           "id": "01a20482-abef-7e23-a6a7-b2dc0f390476",
           "number": 8,
           "type": "order",
           "entity": "6",
           "operation": "remove",
           "state": "pending",
           "attempts": 0,
           "sent": false,
           "revision": 33,
           "createdAt": "2026-11-22T18:26:42.287Z",
           "before": {
            "id": "6",
            "article": "fins"
           }
          }
         ]
        }
       }
      }
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_outbox/{id}": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an entry.",
     "schema": {
      "type": "string",
      "minLength": 1,
      "maxLength": 256,
      "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
     },
     "example": "0190f3a2-7c1e-7d6b-9a41-0c5f2d7e8b90"
    }
   ],
   "get": {
    "operationId": "getOutboxEntry",
    "tags": [
     "remotes"
    ],
    "summary": "One change for a remote.",
    "responses": {
     "200": {
      "description": "The entry.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OutboxEntry"
        },
        "example": {
         "id": "01a20482-abda-72d8-bb38-5f31d81d444e",
         "number": 1,
         "type": "order",
         "entity": "zsh",
         "operation": "create",
         "state": "pending",
         "attempts": 1,
         "sent": true,
         "revision": 18,
         "createdAt": "2026-11-22T18:26:42.266Z",
         "nextAttemptAt": "2026-11-22T18:26:43.114Z",
         "problem": {
          "code": "upstream-unreachable",
          "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
         },
         "body": {
          "id": "zsh",
          "version": "5.9-4",
          "section": "shells",
          "installedSize": 2466
         }
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   },
   "delete": {
    "operationId": "removeOutboxEntry",
    "tags": [
     "remotes"
    ],
    "summary": "Give a change up: it is sent no more, and stays here.",
    "responses": {
     "204": {
      "description": "It is gone.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_outbox/{id}/retry": {
   "parameters": [
    {
     "name": "id",
     "in": "path",
     "required": true,
     "description": "The id of an entry.",
     "schema": {
      "type": "string",
      "minLength": 1,
      "maxLength": 256,
      "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
     },
     "example": "0190f3a2-7c1e-7d6b-9a41-0c5f2d7e8b90"
    }
   ],
   "post": {
    "operationId": "retryOutboxEntry",
    "tags": [
     "remotes"
    ],
    "summary": "Try a dead change again, or one that waits for its next try now.",
    "responses": {
     "200": {
      "description": "The entry.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/OutboxEntry"
        },
        "example": {
         "id": "01a20482-abda-72d8-bb38-5f31d81d444e",
         "number": 1,
         "type": "order",
         "entity": "zsh",
         "operation": "create",
         "state": "pending",
         "attempts": 0,
         "sent": true,
         "revision": 18,
         "createdAt": "2026-11-22T18:26:42.266Z",
         "problem": {
          "code": "upstream-unreachable",
          "detail": "refused: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"
         },
         "body": {
          "id": "zsh",
          "version": "5.9-4",
          "section": "shells",
          "installedSize": 2466
         }
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "409": {
      "$ref": "#/components/responses/Conflict"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_backup": {
   "get": {
    "operationId": "backupStore",
    "tags": [
     "store"
    ],
    "summary": "A consistent copy of the store, as one file",
    "responses": {
     "200": {
      "description": "The backup.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       },
       "Freshet-Cursor": {
        "$ref": "#/components/headers/Freshet-Cursor"
       }
      },
      "content": {
       "application/octet-stream": {
        "schema": {
         "type": "string",
         "contentMediaType": "application/octet-stream"
        },
        "example": "freshet backup, version 1"
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "description": "Everything at one commit, in the form that `freshet restore` takes. Writes go on. The copy is whole only with its end; `freshet backup` checks that and every entity.",
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   }
  },
  "/v1/_store/compact": {
   "post": {
    "operationId": "compactStore",
    "summary": "Write a snapshot now",
    "description": "Writes a snapshot of everything, verifies it, and deletes the files that no kept generation needs. Writes go on. Answers when that is done.",
    "tags": [
     "store"
    ],
    "responses": {
     "200": {
      "description": "What was written.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/CompactionReport"
        },
        "example": {
         "revision": 17,
         "entities": 12,
         "bytes": 2152,
         "removedFiles": 0,
         "durationMs": 33
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated"
    ]
   }
  },
  "/v1/_store/scrub": {
   "post": {
    "operationId": "scrubStore",
    "summary": "Check every byte of the store now",
    "description": "Reads every live file from the disk and every entity in memory, and compares them with their checksums, at the rate of a snapshot. What is damaged is set aside and replaced by a new snapshot. Answers when the pass is done.",
    "tags": [
     "store"
    ],
    "responses": {
     "200": {
      "description": "What was found.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ScrubReport"
        },
        "example": {
         "files": 6,
         "bytes": 11208,
         "entities": 12,
         "damaged": [],
         "memoryErrors": 0,
         "durationMs": 1
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "501": {
      "$ref": "#/components/responses/NotImplemented"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "not-implemented",
     "origin-not-allowed",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated"
    ]
   }
  },
  "/v1/_conditions": {
   "get": {
    "operationId": "listConditions",
    "tags": [
     "conditions"
    ],
    "summary": "The named flags that run specifications read.",
    "description": "As events: `conditions` with all of them, then `condition` for each change.",
    "parameters": [
     {
      "name": "live",
      "in": "query",
      "description": "The answer as a stream, as with `Accept: text/event-stream`.",
      "schema": {
       "$ref": "#/components/schemas/LiveSwitch"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "All, by name.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ConditionList"
        },
        "example": {
         "items": [
          {
           "name": "maintenance",
           "value": false,
           "revision": 0,
           "expiresAt": null,
           "persist": true
          },
          {
           "name": "night-mode",
           "value": false,
           "revision": 0,
           "expiresAt": null,
           "persist": false
          }
         ]
        }
       },
       "text/event-stream": {
        "example": "event: conditions\ndata: {\"items\":[{\"name\":\"maintenance\",\"value\":true,\"revision\":1,\"expiresAt\":\"2026-11-22T18:36:42.186Z\",\"persist\":true},{\"name\":\"night-mode\",\"value\":false,\"revision\":0,\"expiresAt\":null,\"persist\":false}]}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   },
   "patch": {
    "operationId": "setConditions",
    "tags": [
     "conditions"
    ],
    "summary": "Set several conditions in one commit.",
    "description": "No specification ever sees an intermediate combination. Where one name is not declared none is set.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ConditionChanges"
       },
       "example": {
        "maintenance": true,
        "night-mode": false
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "How they stand, in the order of the body.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/ConditionList"
        },
        "example": {
         "items": [
          {
           "name": "maintenance",
           "value": true,
           "revision": 1,
           "changed": true,
           "expiresAt": null,
           "persist": true
          },
          {
           "name": "night-mode",
           "value": false,
           "revision": 0,
           "changed": false,
           "expiresAt": null,
           "persist": false
          }
         ]
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_conditions/{name}": {
   "parameters": [
    {
     "name": "name",
     "in": "path",
     "required": true,
     "description": "As the configuration calls it.",
     "schema": {
      "type": "string",
      "pattern": "^[^\\u0000]*$"
     },
     "example": "maintenance"
    }
   ],
   "get": {
    "operationId": "showCondition",
    "tags": [
     "conditions"
    ],
    "summary": "One condition.",
    "description": "As events: `condition` as it stands, then each change.",
    "parameters": [
     {
      "name": "live",
      "in": "query",
      "description": "The answer as a stream, as with `Accept: text/event-stream`.",
      "schema": {
       "$ref": "#/components/schemas/LiveSwitch"
      }
     }
    ],
    "responses": {
     "200": {
      "description": "The condition.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Condition"
        },
        "example": {
         "name": "maintenance",
         "value": true,
         "revision": 1,
         "expiresAt": "2026-11-22T18:36:42.186Z",
         "persist": true
        }
       },
       "text/event-stream": {
        "example": "event: condition\ndata: {\"name\":\"maintenance\",\"value\":true,\"revision\":1,\"expiresAt\":\"2026-11-22T18:36:42.186Z\",\"persist\":true}\n\n",
        "schema": {
         "type": "string",
         "description": "Server-sent events; live.md says which."
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-acceptable",
     "not-found",
     "overloaded",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "uri-too-long"
    ]
   },
   "put": {
    "operationId": "setCondition",
    "tags": [
     "conditions"
    ],
    "summary": "Set one condition, for a time if wanted.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ConditionChange"
       },
       "example": {
        "value": true,
        "ttl": "10m"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "How it stands.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Condition"
        },
        "example": {
         "name": "maintenance",
         "value": true,
         "revision": 1,
         "changed": false,
         "expiresAt": "2026-11-22T18:36:42.186Z",
         "persist": true
        }
       }
      }
     },
     "404": {
      "$ref": "#/components/responses/NotFound"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "507": {
      "$ref": "#/components/responses/StorageFull"
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "not-found",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "read-only",
     "recovering",
     "shutting-down",
     "storage-failed",
     "storage-full",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  },
  "/v1/_specs/evaluate": {
   "post": {
    "operationId": "evaluateSpec",
    "tags": [
     "conditions"
    ],
    "summary": "What a run specification comes to.",
    "description": "With `at`: what it would be then if nothing but time changed. With `operation`: as one of its slots.",
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/SpecQuestion"
       },
       "example": {
        "spec": {
         "and": [
          {
           "window": {
            "days": "mon-fri",
            "from": "08:00",
            "to": "18:00",
            "tz": "Europe/Berlin"
           }
          },
          {
           "not": {
            "condition": "maintenance"
           }
          }
         ]
        },
        "at": "2026-11-23T07:30:00Z"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "Its value, its next change, and all its parts.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Evaluation"
        },
        "example": {
         "satisfied": true,
         "nextChange": "2026-11-23T17:00:00.000Z",
         "trace": [
          {
           "pointer": "",
           "value": true
          },
          {
           "pointer": "/and/0",
           "value": true
          },
          {
           "pointer": "/and/1",
           "value": true
          },
          {
           "pointer": "/and/1/not",
           "value": false
          }
         ]
        }
       }
      }
     },
     "406": {
      "$ref": "#/components/responses/NotAcceptable"
     },
     "413": {
      "$ref": "#/components/responses/PayloadTooLarge"
     },
     "415": {
      "$ref": "#/components/responses/UnsupportedMediaType"
     },
     "422": {
      "description": "`invalid-spec`: a pointer for each fault.",
      "headers": {
       "X-Request-Id": {
        "$ref": "#/components/headers/X-Request-Id"
       }
      },
      "content": {
       "application/problem+json": {
        "schema": {
         "$ref": "#/components/schemas/Problem"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/BadRequest"
     },
     "401": {
      "$ref": "#/components/responses/Unauthenticated"
     },
     "403": {
      "$ref": "#/components/responses/Forbidden"
     },
     "421": {
      "$ref": "#/components/responses/MisdirectedRequest"
     },
     "429": {
      "$ref": "#/components/responses/RateLimited"
     },
     "431": {
      "$ref": "#/components/responses/HeadersTooLarge"
     },
     "500": {
      "$ref": "#/components/responses/Internal"
     },
     "503": {
      "$ref": "#/components/responses/Unavailable"
     },
     "414": {
      "$ref": "#/components/responses/URITooLong"
     }
    },
    "security": [
     {
      "bearer": []
     },
     {}
    ],
    "x-codes": [
     "bad-json",
     "bad-parameter",
     "bad-request",
     "forbidden",
     "headers-too-large",
     "host-not-allowed",
     "internal",
     "invalid-spec",
     "not-acceptable",
     "origin-not-allowed",
     "overloaded",
     "payload-too-large",
     "rate-limited",
     "recovering",
     "shutting-down",
     "unauthenticated",
     "unsupported-media-type",
     "uri-too-long"
    ]
   }
  }
 },
 "components": {
  "schemas": {
   "TypeName": {
    "type": "string",
    "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$"
   },
   "Id": {
    "oneOf": [
     {
      "type": "string",
      "minLength": 1,
      "maxLength": 256,
      "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
     },
     {
      "type": "integer",
      "format": "int64",
      "minimum": -9223372036854775808,
      "maximum": 9223372036854775807
     }
    ],
    "description": "A string of 1...256 UTF-8 bytes or an Int64; 7 and \"7\" are the same identifier. `StoredId` and `NewId` say what is refused (422) as the id of an entity."
   },
   "StoredId": {
    "description": "The `id` of an entity: not `.` or `..`, which no address can name.",
    "oneOf": [
     {
      "type": "string",
      "minLength": 1,
      "maxLength": 256,
      "pattern": "^([^.\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*|[.][^.\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*|[.]{2}[^\\u0000-\\u001f\\u007f-\\u009f]+)$"
     },
     {
      "type": "integer",
      "format": "int64",
      "minimum": -9223372036854775808,
      "maximum": 9223372036854775807
     }
    ]
   },
   "NewTextId": {
    "type": "string",
    "minLength": 1,
    "maxLength": 256,
    "pattern": "^([^._\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*|[.][^.\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*|[.]{2}[^\\u0000-\\u001f\\u007f-\\u009f]+)$",
    "description": "Not `.` or `..`, which no address can name, and without `_` in front, as addresses of the service have it. An entity that is there with such an id, by an import or a fetch, is written all the same."
   },
   "NewId": {
    "oneOf": [
     {
      "$ref": "#/components/schemas/NewTextId"
     },
     {
      "type": "integer",
      "format": "int64",
      "minimum": -9223372036854775808,
      "maximum": 9223372036854775807
     }
    ]
   },
   "Entity": {
    "type": "object",
    "required": [
     "id"
    ],
    "properties": {
     "id": {
      "$ref": "#/components/schemas/StoredId"
     }
    },
    "additionalProperties": true,
    "example": {
     "id": "bash",
     "version": "5.2.15-2+b2",
     "section": "shells",
     "installedSize": 7164
    }
   },
   "NewEntity": {
    "type": "object",
    "description": "An entity whose `id` may be absent.",
    "properties": {
     "id": {
      "$ref": "#/components/schemas/NewId"
     }
    },
    "additionalProperties": true
   },
   "Filter": {
    "oneOf": [
     {
      "type": "string",
      "minLength": 1
     },
     {
      "$ref": "#/components/schemas/FilterTree"
     },
     {
      "type": "boolean"
     }
    ],
    "description": "The text form, the tree form of http-api.md section 4, or true or false."
   },
   "Query": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
     "filter": {
      "$ref": "#/components/schemas/Filter"
     },
     "ids": {
      "oneOf": [
       {
        "type": "array",
        "maxItems": 10000,
        "items": {
         "$ref": "#/components/schemas/Id"
        }
       },
       {
        "type": "string",
        "description": "Separated by commas.",
        "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
       }
      ]
     },
     "order": {
      "oneOf": [
       {
        "type": "string",
        "minLength": 1
       },
       {
        "type": "array",
        "items": {
         "type": "string",
         "minLength": 1
        }
       }
      ]
     },
     "offset": {
      "type": "integer",
      "minimum": 0
     },
     "limit": {
      "type": "integer",
      "minimum": 0,
      "maximum": 10000
     },
     "after": {
      "type": "string",
      "minLength": 1
     },
     "fields": {
      "oneOf": [
       {
        "type": "string",
        "minLength": 1
       },
       {
        "type": "array",
        "items": {
         "type": "string",
         "minLength": 1
        }
       }
      ]
     },
     "count": {
      "type": "boolean"
     },
     "meta": {
      "type": "boolean"
     },
     "explain": {
      "type": "boolean"
     },
     "include": {
      "oneOf": [
       {
        "type": "string",
        "minLength": 1
       },
       {
        "type": "array",
        "items": {
         "type": "string",
         "minLength": 1
        }
       }
      ]
     },
     "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 10
     },
     "group": {
      "type": "string",
      "minLength": 1
     },
     "aggregate": {
      "oneOf": [
       {
        "type": "string",
        "minLength": 1
       },
       {
        "type": "array",
        "minItems": 1,
        "maxItems": 32,
        "items": {
         "type": "string",
         "minLength": 1
        }
       }
      ]
     },
     "distinct": {
      "type": "string",
      "minLength": 1
     },
     "contract": {
      "type": "string",
      "minLength": 1
     },
     "source": {
      "$ref": "#/components/schemas/ReadSource"
     },
     "persist": {
      "$ref": "#/components/schemas/Persistence"
     },
     "trustRemote": {
      "type": "boolean"
     },
     "endpoint": {
      "type": "string",
      "minLength": 1
     }
    },
    "patternProperties": {
     "^endpoint\\..": {
      "type": [
       "string",
       "number",
       "boolean"
      ],
      "description": "A parameter of the endpoint."
     }
    },
    "example": {
     "filter": "section=='games'",
     "order": [
      "-installedSize"
     ],
     "limit": 3
    }
   },
   "Result": {
    "type": "object",
    "required": [
     "meta"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Entity"
      }
     },
     "groups": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Group"
      }
     },
     "aggregates": {
      "description": "With `group` a row for each group, with its `key`; else one object of all matches.",
      "oneOf": [
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Figures"
        }
       },
       {
        "$ref": "#/components/schemas/Figures"
       }
      ]
     },
     "meta": {
      "$ref": "#/components/schemas/ResultMeta"
     },
     "included": {
      "type": "object",
      "description": "With `include`: type, then id, then entity; each once, and none that stands in `items`.",
      "additionalProperties": {
       "type": "object",
       "additionalProperties": {
        "$ref": "#/components/schemas/Entity"
       }
      }
     }
    },
    "description": "One of `items`, `groups` (with `group`) and `aggregates` (with `aggregate`), and `meta`, where `count` is the number of entities, or of rows of figures."
   },
   "Plan": {
    "type": "object",
    "description": "How an answer was found, where `explain` asks for it. To a caller with a row rule only `rowsReturned` and its own `filter`: all else would tell of rows that it may not read.",
    "required": [
     "rowsReturned",
     "filter"
    ],
    "properties": {
     "index": {
      "type": "string",
      "description": "The index, as it is declared: `section,-installedSize`; `a | b` for a union, `a & b` for an intersection. Without one `id` (the filter names ids), `ids`, `scan` or `none`."
     },
     "kind": {
      "$ref": "#/components/schemas/PlanKind",
      "description": "`index`; `elements`: of arrays; `union`: rows of several ranges, each once; `intersection`: rows of both; `count`: ranges are counted, no row is wanted; `id`, `ids`, `scan`, `none`."
     },
     "ranges": {
      "type": "array",
      "description": "What of the index is read, at most 16 ranges: `section: \"games\", size: [5, 10)`.",
      "items": {
       "type": "string"
      }
     },
     "rangeCount": {
      "type": "integer",
      "description": "The number of ranges.",
      "minimum": 0
     },
     "orderFromIndex": {
      "type": "boolean",
      "description": "Rows come out of the index in the order of the answer: the search ends with its window."
     },
     "countFromIndex": {
      "type": "boolean",
      "description": "`meta.total` is the size of ranges: no row was looked at for it."
     },
     "filterImplied": {
      "type": "boolean",
      "description": "The ranges are all that the filter says: it was not asked about the rows."
     },
     "rowsExamined": {
      "type": "integer",
      "description": "Rows that were looked at.",
      "minimum": 0
     },
     "rowsReturned": {
      "type": "integer",
      "description": "Rows of the answer.",
      "minimum": 0
     },
     "replanned": {
      "type": "boolean",
      "description": "Another way took longer than it was thought to and was given up for this one."
     },
     "filter": {
      "type": [
       "string",
       "null"
      ],
      "description": "The filter in canonical form."
     },
     "candidates": {
      "type": "array",
      "description": "The ways that were weighed.",
      "items": {
       "$ref": "#/components/schemas/PlanCandidate"
      }
     }
    }
   },
   "Figures": {
    "type": "object",
    "description": "A member for each figure that was asked for, named as it was.",
    "additionalProperties": true,
    "example": {
     "key": "games",
     "count": 1108,
     "sum(installedSize)": 22650989
    }
   },
   "WriteMeta": {
    "type": "object",
    "required": [
     "count",
     "changed",
     "revision"
    ],
    "properties": {
     "count": {
      "type": "integer",
      "minimum": 0
     },
     "changed": {
      "type": "integer",
      "minimum": 0
     },
     "revision": {
      "type": "integer",
      "minimum": 0
     },
     "failed": {
      "type": "integer",
      "description": "With `target=remote`: how many of several were not done; their results have a `problem`."
     }
    }
   },
   "SetResult": {
    "type": "object",
    "required": [
     "items",
     "meta"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/SetItem"
      }
     },
     "meta": {
      "$ref": "#/components/schemas/WriteMeta"
     },
     "outbox": {
      "type": "array",
      "description": "With `target=both`: the addresses of the entries.",
      "items": {
       "type": "string"
      }
     }
    },
    "example": {
     "items": [
      {
       "id": "bash",
       "revision": 1042,
       "changed": true
      },
      {
       "id": "zsh",
       "revision": 1042,
       "changed": true
      }
     ],
     "meta": {
      "count": 2,
      "changed": 2,
      "revision": 1042
     }
    }
   },
   "RemoveResult": {
    "type": "object",
    "required": [
     "removed"
    ],
    "properties": {
     "removed": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Id"
      }
     },
     "outbox": {
      "type": "array",
      "description": "With `target=both`: the addresses of the entries.",
      "items": {
       "type": "string"
      }
     }
    },
    "example": {
     "removed": [
      "bash",
      "zsh"
     ]
    }
   },
   "RemoteResult": {
    "type": "object",
    "description": "The answer to several writes with `target=remote`.",
    "required": [
     "results",
     "meta"
    ],
    "additionalProperties": false,
    "properties": {
     "results": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/WriteResult"
      }
     },
     "meta": {
      "$ref": "#/components/schemas/WriteMeta"
     }
    }
   },
   "WriteResult": {
    "type": "object",
    "required": [
     "status",
     "id"
    ],
    "properties": {
     "status": {
      "type": "integer",
      "description": "That a write of this entity alone would be answered with."
     },
     "id": {
      "$ref": "#/components/schemas/Id"
     },
     "revision": {
      "type": "integer"
     },
     "changed": {
      "type": "boolean"
     },
     "problem": {
      "$ref": "#/components/schemas/Problem"
     }
    }
   },
   "Batch": {
    "type": "object",
    "required": [
     "operations"
    ],
    "additionalProperties": false,
    "properties": {
     "operations": {
      "type": "array",
      "items": {
       "oneOf": [
        {
         "$ref": "#/components/schemas/BatchSetOperation"
        },
        {
         "$ref": "#/components/schemas/BatchPatchOperation"
        },
        {
         "$ref": "#/components/schemas/BatchRemoveOperation"
        }
       ]
      }
     }
    },
    "example": {
     "operations": [
      {
       "set": {
        "type": "package",
        "entity": {
         "id": "bash",
         "version": "5.2.15-2+b2",
         "section": "shells",
         "installedSize": 7164
        }
       }
      },
      {
       "remove": {
        "type": "package",
        "id": "zsh"
       }
      }
     ]
    }
   },
   "BatchResult": {
    "type": "object",
    "required": [
     "results",
     "meta"
    ],
    "properties": {
     "results": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/WriteResult"
      }
     },
     "meta": {
      "$ref": "#/components/schemas/WriteMeta"
     },
     "outbox": {
      "type": "array",
      "description": "With `target=both`: the addresses of the entries.",
      "items": {
       "type": "string"
      }
     }
    },
    "example": {
     "results": [
      {
       "status": 201,
       "id": "bash",
       "revision": 1042,
       "changed": true
      },
      {
       "status": 204,
       "id": "zsh",
       "revision": 1042,
       "changed": true
      }
     ],
     "meta": {
      "count": 2,
      "changed": 2,
      "revision": 1042
     }
    }
   },
   "Problem": {
    "type": "object",
    "description": "RFC 9457.",
    "required": [
     "type",
     "title",
     "status",
     "code"
    ],
    "properties": {
     "type": {
      "type": "string",
      "pattern": "^/problems/"
     },
     "title": {
      "type": "string"
     },
     "status": {
      "type": "integer",
      "minimum": 400,
      "maximum": 599
     },
     "code": {
      "type": "string",
      "pattern": "^[a-z][a-z-]*$"
     },
     "detail": {
      "type": "string"
     },
     "hint": {
      "type": "string"
     },
     "requestId": {
      "type": "string"
     },
     "errors": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Fault"
      }
     },
     "causes": {
      "type": "array",
      "description": "The problems that led to this one, outermost first.",
      "items": {
       "$ref": "#/components/schemas/Problem"
      }
     },
     "current": {
      "anyOf": [
       {
        "$ref": "#/components/schemas/Entity"
       },
       {
        "type": "null"
       }
      ]
     },
     "outcome": {
      "$ref": "#/components/schemas/WriteOutcome"
     }
    },
    "example": {
     "type": "/problems/not-found",
     "title": "Not found",
     "status": 404,
     "code": "not-found",
     "detail": "No package has the id nosuch."
    }
   },
   "Object": {
    "type": "object"
   },
   "TypeDescription": {
    "type": "object",
    "required": [
     "name",
     "count",
     "unfit",
     "sources",
     "declared"
    ],
    "properties": {
     "name": {
      "type": "string"
     },
     "count": {
      "type": "integer",
      "minimum": 0,
      "description": "Entities that are stored."
     },
     "unfit": {
      "type": "integer",
      "minimum": 0,
      "description": "Entities that a write would refuse today, since the schema has changed; they are kept and readable."
     },
     "sources": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "declared": {
      "type": "boolean"
     },
     "schema": {
      "$ref": "#/components/schemas/TypeDeclaration"
     },
     "indexes": {
      "type": "array",
      "description": "What the declared indexes are doing.",
      "items": {
       "$ref": "#/components/schemas/IndexState"
      }
     },
     "unfitEntities": {
      "type": "array",
      "maxItems": 20,
      "description": "The first of them in the order of ids; on the single type only.",
      "items": {
       "$ref": "#/components/schemas/UnfitEntity"
      }
     }
    },
    "example": {
     "name": "article",
     "count": 120,
     "unfit": 0,
     "sources": [
      "local"
     ],
     "declared": true,
     "schema": {
      "identifier": "integer",
      "properties": {
       "title": {
        "type": "string",
        "required": true
       }
      }
     },
     "indexes": [
      {
       "keys": "status,-at",
       "state": "ready",
       "entries": 120,
       "bytes": 9600
      }
     ]
    }
   },
   "Credential": {
    "type": "object",
    "required": [
     "type",
     "grant",
     "state",
     "version",
     "valid",
     "expiresAt",
     "refreshToken",
     "persisted",
     "retryAt",
     "reason",
     "waiting",
     "counts"
    ],
    "properties": {
     "upstream": {
      "type": "string"
     },
     "level": {
      "const": "outer"
     },
     "type": {
      "const": "oauth2"
     },
     "grant": {
      "$ref": "#/components/schemas/CredentialGrant"
     },
     "state": {
      "$ref": "#/components/schemas/CredentialState"
     },
     "version": {
      "type": "integer",
      "minimum": 0,
      "description": "Of the newest token; it only grows."
     },
     "valid": {
      "type": "boolean",
      "description": "The newest token can be used: neither refused nor expired."
     },
     "expiresAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "refreshToken": {
      "type": "boolean",
      "description": "There is a refresh token."
     },
     "persisted": {
      "type": "boolean",
      "description": "The refresh token outlives a restart."
     },
     "retryAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "When a failed credential is tried again."
     },
     "reason": {
      "type": [
       "string",
       "null"
      ],
      "description": "Why it failed or is critical."
     },
     "waiting": {
      "type": "integer",
      "minimum": 0,
      "description": "Requests that wait for the refresh."
     },
     "counts": {
      "$ref": "#/components/schemas/CredentialCounts"
     },
     "outer": {
      "$ref": "#/components/schemas/Credential",
      "description": "The credential that this one's token requests need."
     }
    }
   },
   "Operation": {
    "type": "object",
    "description": "What is asked of a remote, and how it stands.",
    "required": [
     "id",
     "kind",
     "status",
     "isLoading",
     "isStale",
     "valueVersion",
     "valueUpdatedAt",
     "count",
     "error",
     "errorUpdatedAt",
     "failures",
     "automatic",
     "subscribers",
     "run",
     "lastRun",
     "edges",
     "controllers"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "kind": {
      "$ref": "#/components/schemas/OperationKind"
     },
     "status": {
      "$ref": "#/components/schemas/OperationStatus"
     },
     "isLoading": {
      "type": "boolean"
     },
     "isStale": {
      "type": "boolean",
      "description": "Whether the value is out of date: there is none, it was invalidated, or one of the rules `stale` holds; without rules it always is. While a controller follows it, the rules do not count."
     },
     "valueVersion": {
      "type": "integer",
      "description": "Counts the values; 0: there is none."
     },
     "valueUpdatedAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "count": {
      "type": [
       "integer",
       "null"
      ],
      "description": "Rows of the value."
     },
     "error": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/Problem"
       },
       {
        "type": "null"
       }
      ]
     },
     "errorUpdatedAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "failures": {
      "type": "integer",
      "description": "Failed runs since the last success."
     },
     "automatic": {
      "type": "boolean",
      "description": "Whether the gate is open."
     },
     "subscribers": {
      "type": "integer"
     },
     "run": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/OperationRun"
       },
       {
        "type": "null"
       }
      ]
     },
     "lastRun": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/OperationLastRun"
       },
       {
        "type": "null"
       }
      ]
     },
     "edges": {
      "$ref": "#/components/schemas/EdgeCounters"
     },
     "controllers": {
      "type": "array",
      "description": "What drives it from outside; empty without any.",
      "items": {
       "$ref": "#/components/schemas/Controller"
      }
     }
    },
    "example": {
     "id": "todos",
     "kind": "query",
     "status": "success",
     "isLoading": false,
     "isStale": false,
     "valueVersion": 4,
     "valueUpdatedAt": "2026-07-01T12:00:00Z",
     "count": 20,
     "error": null,
     "errorUpdatedAt": null,
     "failures": 0,
     "automatic": true,
     "subscribers": 1,
     "run": null,
     "lastRun": {
      "id": "r-19",
      "origin": "every",
      "outcome": "success",
      "attempts": 1,
      "startedAt": "2026-07-01T12:00:00Z",
      "durationMs": 38
     },
     "edges": {
      "rises": 3,
      "falls": 2,
      "runs": 3,
      "skipped": {
       "gate": 0,
       "fresh": 0,
       "subscribers": 0
      }
     },
     "controllers": []
    }
   },
   "EdgeCounters": {
    "type": "object",
    "description": "What became of the edges of refetch.when.",
    "required": [
     "rises",
     "falls",
     "runs",
     "skipped"
    ],
    "properties": {
     "rises": {
      "type": "integer"
     },
     "falls": {
      "type": "integer"
     },
     "runs": {
      "type": "integer"
     },
     "skipped": {
      "$ref": "#/components/schemas/SkippedEdges"
     }
    }
   },
   "SpecEvaluation": {
    "type": "object",
    "description": "What a specification comes to.",
    "required": [
     "satisfied",
     "nextChange",
     "trace"
    ],
    "properties": {
     "satisfied": {
      "type": "boolean"
     },
     "nextChange": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "trace": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/SpecNode"
      }
     }
    }
   },
   "OutboxEntry": {
    "type": "object",
    "required": [
     "id",
     "number",
     "type",
     "entity",
     "operation",
     "state",
     "attempts",
     "createdAt"
    ],
    "properties": {
     "id": {
      "type": "string",
      "description": "Also the `Idempotency-Key` that the remote gets."
     },
     "number": {
      "type": "integer",
      "description": "Grows with the order of the changes."
     },
     "type": {
      "$ref": "#/components/schemas/TypeName"
     },
     "entity": {
      "$ref": "#/components/schemas/Id"
     },
     "replaced": {
      "$ref": "#/components/schemas/Id",
      "description": "The id that the entity had before the remote gave it its own."
     },
     "operation": {
      "$ref": "#/components/schemas/OutboxOperation"
     },
     "endpoint": {
      "type": "string",
      "description": "The named endpoint that it is sent to in place of the request of its operation."
     },
     "parameters": {
      "type": "object",
      "description": "Of the endpoint.",
      "additionalProperties": {
       "type": "string"
      }
     },
     "state": {
      "$ref": "#/components/schemas/OutboxState"
     },
     "attempts": {
      "type": "integer"
     },
     "sent": {
      "type": "boolean"
     },
     "revision": {
      "type": "integer"
     },
     "createdAt": {
      "type": "string",
      "format": "date-time"
     },
     "nextAttemptAt": {
      "type": "string",
      "format": "date-time"
     },
     "problem": {
      "$ref": "#/components/schemas/OutboxProblem"
     },
     "body": {
      "description": "The entity after the change."
     },
     "before": {
      "description": "The entity as the remote had it."
     },
     "beforeIsFetched": {
      "type": "boolean"
     }
    },
    "example": {
     "id": "0190f3a2-7c1e-7d6b-9a41-0c5f2d7e8b90",
     "number": 7,
     "type": "todo",
     "entity": "41",
     "operation": "update",
     "state": "pending",
     "attempts": 0,
     "createdAt": "2026-07-01T12:00:00Z"
    }
   },
   "Upstream": {
    "type": "object",
    "required": [
     "id",
     "base",
     "link",
     "since",
     "limitedUntil",
     "nextRecoveryProbe",
     "lastFailure",
     "healthy",
     "probe",
     "load",
     "counters",
     "credential"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "base": {
      "type": "string",
      "format": "uri"
     },
     "link": {
      "$ref": "#/components/schemas/LinkState",
      "description": "Any HTTP answer connects; no answer to a run's last try or to a probe disconnects; 429 and 503 with Retry-After limit until then."
     },
     "since": {
      "type": "string",
      "format": "date-time"
     },
     "limitedUntil": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "nextRecoveryProbe": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "While the upstream is disconnected and some run specification reads that."
     },
     "lastFailure": {
      "anyOf": [
       {
        "$ref": "#/components/schemas/UpstreamFailure"
       },
       {
        "type": "null"
       }
      ]
     },
     "healthy": {
      "type": [
       "boolean",
       "null"
      ],
      "description": "The probe's verdict; null without a probe."
     },
     "probe": {
      "anyOf": [
       {
        "$ref": "#/components/schemas/UpstreamProbe"
       },
       {
        "type": "null"
       }
      ]
     },
     "load": {
      "$ref": "#/components/schemas/UpstreamLoad"
     },
     "counters": {
      "$ref": "#/components/schemas/UpstreamCounters"
     },
     "credential": {
      "anyOf": [
       {
        "$ref": "#/components/schemas/UpstreamCredential"
       },
       {
        "type": "null"
       }
      ]
     }
    }
   },
   "Controller": {
    "type": "object",
    "description": "A controller of an operation and what it has done.",
    "required": [
     "kind",
     "state",
     "activity",
     "nextTry",
     "lastError",
     "counts"
    ],
    "properties": {
     "kind": {
      "type": "string",
      "examples": [
       "sse",
       "freshet",
       "edge",
       "poll"
      ]
     },
     "state": {
      "$ref": "#/components/schemas/ControllerState"
     },
     "activity": {
      "type": [
       "string",
       "null"
      ],
      "description": "What it says of itself."
     },
     "nextTry": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "When it tries again what has failed."
     },
     "lastError": {
      "type": [
       "string",
       "null"
      ]
     },
     "counts": {
      "$ref": "#/components/schemas/ControllerCounts"
     }
    }
   },
   "Condition": {
    "type": "object",
    "required": [
     "name",
     "value",
     "revision",
     "expiresAt",
     "persist"
    ],
    "properties": {
     "name": {
      "type": "string"
     },
     "value": {
      "type": "boolean"
     },
     "revision": {
      "type": "integer",
      "minimum": 0,
      "description": "Counts its changes; 0 is as declared."
     },
     "changed": {
      "type": "boolean",
      "description": "Of an answer to a write: whether the value is another."
     },
     "expiresAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "When it becomes what it was declared as."
     },
     "persist": {
      "type": "boolean",
      "description": "Whether it lasts over a restart."
     }
    }
   },
   "RunSpecification": {
    "description": "true, false, or one of `and`, `or`, `not`, `spec`, `connected`, `healthy`, `token`, `active`, `subscribers`, `age`, `value`, `failures`, `status`, `condition`, `window`, `between`, `cron`, `pressure`.",
    "oneOf": [
     {
      "type": "boolean"
     },
     {
      "$ref": "#/components/schemas/RunSpecificationTree"
     }
    ],
    "example": {
     "not": {
      "condition": "maintenance"
     }
    }
   },
   "Evaluation": {
    "type": "object",
    "required": [
     "satisfied",
     "nextChange",
     "trace"
    ],
    "properties": {
     "satisfied": {
      "type": "boolean"
     },
     "nextChange": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "When it turns if nothing but time changes; null: never, or too far ahead."
     },
     "trace": {
      "type": "array",
      "description": "All nodes, each before its parts.",
      "items": {
       "$ref": "#/components/schemas/SpecNode"
      }
     }
    }
   },
   "Fault": {
    "type": "object",
    "properties": {
     "pointer": {
      "type": "string"
     },
     "parameter": {
      "type": "string"
     },
     "code": {
      "type": "string"
     },
     "detail": {
      "type": "string"
     },
     "offset": {
      "type": "integer"
     },
     "line": {
      "type": "integer",
      "minimum": 1,
      "description": "Of an NDJSON body."
     }
    },
    "required": [
     "code",
     "detail"
    ]
   },
   "FilterTree": {
    "type": "object",
    "minProperties": 1,
    "description": "The tree form of a filter: one of `and`, `or`, `not`, `property`, `size`.",
    "example": {
     "property": "installedSize",
     "op": "<",
     "value": 1000
    }
   },
   "Group": {
    "type": "object",
    "required": [
     "key",
     "items"
    ],
    "properties": {
     "key": {
      "description": "The value as the group's first entity spells it; null also where it has none."
     },
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Entity"
      }
     }
    }
   },
   "ResultMeta": {
    "type": "object",
    "required": [
     "revision",
     "count"
    ],
    "properties": {
     "revision": {
      "type": "integer"
     },
     "cursor": {
      "type": "string"
     },
     "count": {
      "type": "integer",
      "minimum": 0
     },
     "total": {
      "type": "integer",
      "minimum": 0
     },
     "next": {
      "type": "string"
     },
     "source": {
      "$ref": "#/components/schemas/AnswerSource"
     },
     "degraded": {
      "$ref": "#/components/schemas/Problem",
      "description": "Why these are not the remote's entities, or not all of them: `leftOut` of it is the number of elements of the remote's answer that cannot be taken as entities."
     },
     "missing": {
      "type": "array",
      "description": "Ids that do not exist. With `include`, all are texts `type:id`: those of `ids` first, then those that entities refer to.",
      "items": {
       "$ref": "#/components/schemas/Id"
      }
     },
     "include": {
      "type": "object",
      "description": "What became of each path that was followed.",
      "additionalProperties": {
       "$ref": "#/components/schemas/IncludeOutcome"
      }
     },
     "plan": {
      "$ref": "#/components/schemas/Plan"
     },
     "hint": {
      "type": "string",
      "description": "What is odd about an empty answer: a type of which nothing is stored, a property that no entity has, a kind that never matches."
     }
    }
   },
   "PlanCandidate": {
    "type": "object",
    "required": [
     "index",
     "kind",
     "rows",
     "cost"
    ],
    "properties": {
     "index": {
      "type": "string"
     },
     "kind": {
      "type": "string"
     },
     "rows": {
      "type": "integer",
      "description": "The most rows that it looks at.",
      "minimum": 0
     },
     "cost": {
      "type": "integer",
      "description": "What it was expected to cost, in rows of a scan.",
      "minimum": 0
     }
    }
   },
   "SetItem": {
    "type": "object",
    "required": [
     "id",
     "revision",
     "changed"
    ],
    "properties": {
     "id": {
      "$ref": "#/components/schemas/Id"
     },
     "revision": {
      "type": "integer"
     },
     "changed": {
      "type": "boolean"
     }
    }
   },
   "MergePatch": {
    "type": "object",
    "description": "A JSON merge patch (RFC 7396): null removes a member.",
    "additionalProperties": true,
    "example": {
     "section": "games",
     "installedSize": null
    }
   },
   "BatchSet": {
    "type": "object",
    "required": [
     "type",
     "entity"
    ],
    "additionalProperties": false,
    "properties": {
     "type": {
      "$ref": "#/components/schemas/TypeName"
     },
     "entity": {
      "$ref": "#/components/schemas/NewEntity"
     }
    }
   },
   "BatchSetOperation": {
    "type": "object",
    "required": [
     "set"
    ],
    "additionalProperties": false,
    "properties": {
     "set": {
      "$ref": "#/components/schemas/BatchSet"
     },
     "ifMatch": {
      "description": "It happens only at one of these revisions; `*`: at any. Not with `ifNoneMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     },
     "ifNoneMatch": {
      "description": "`*`: it happens only where the entity is absent; revisions: at none of these. Not with `ifMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     }
    },
    "not": {
     "required": [
      "ifMatch",
      "ifNoneMatch"
     ]
    }
   },
   "BatchPatch": {
    "type": "object",
    "required": [
     "type",
     "id",
     "patch"
    ],
    "additionalProperties": false,
    "properties": {
     "type": {
      "$ref": "#/components/schemas/TypeName"
     },
     "id": {
      "$ref": "#/components/schemas/Id"
     },
     "patch": {
      "$ref": "#/components/schemas/MergePatch"
     }
    }
   },
   "BatchPatchOperation": {
    "type": "object",
    "required": [
     "patch"
    ],
    "additionalProperties": false,
    "properties": {
     "patch": {
      "$ref": "#/components/schemas/BatchPatch"
     },
     "ifMatch": {
      "description": "It happens only at one of these revisions; `*`: at any. Not with `ifNoneMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     },
     "ifNoneMatch": {
      "description": "`*`: it happens only where the entity is absent; revisions: at none of these. Not with `ifMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     }
    },
    "not": {
     "required": [
      "ifMatch",
      "ifNoneMatch"
     ]
    }
   },
   "BatchRemove": {
    "type": "object",
    "required": [
     "type",
     "id"
    ],
    "additionalProperties": false,
    "properties": {
     "type": {
      "$ref": "#/components/schemas/TypeName"
     },
     "id": {
      "$ref": "#/components/schemas/Id"
     }
    }
   },
   "BatchRemoveOperation": {
    "type": "object",
    "required": [
     "remove"
    ],
    "additionalProperties": false,
    "properties": {
     "remove": {
      "$ref": "#/components/schemas/BatchRemove"
     },
     "ifMatch": {
      "description": "It happens only at one of these revisions; `*`: at any. Not with `ifNoneMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     },
     "ifNoneMatch": {
      "description": "`*`: it happens only where the entity is absent; revisions: at none of these. Not with `ifMatch`.",
      "oneOf": [
       {
        "$ref": "#/components/schemas/Revision"
       },
       {
        "const": "*"
       },
       {
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Revision"
        }
       }
      ]
     }
    },
    "not": {
     "required": [
      "ifMatch",
      "ifNoneMatch"
     ]
    }
   },
   "TypeDeclaration": {
    "type": "object",
    "description": "The declaration: identifier, properties, additionalProperties, relationships, indexes, contracts, store."
   },
   "IndexState": {
    "type": "object",
    "required": [
     "keys",
     "state",
     "entries",
     "bytes"
    ],
    "properties": {
     "keys": {
      "type": "string",
      "examples": [
       "status,-at"
      ]
     },
     "state": {
      "$ref": "#/components/schemas/IndexProgress"
     },
     "entries": {
      "type": "integer",
      "minimum": 0
     },
     "bytes": {
      "type": "integer",
      "minimum": 0
     }
    }
   },
   "UnfitEntity": {
    "type": "object",
    "required": [
     "id",
     "revision",
     "errors"
    ],
    "properties": {
     "id": {
      "type": [
       "string",
       "integer"
      ]
     },
     "revision": {
      "type": "integer",
      "minimum": 0
     },
     "errors": {
      "type": "array",
      "minItems": 1,
      "items": {
       "$ref": "#/components/schemas/Fault"
      }
     }
    }
   },
   "CredentialCounts": {
    "type": "object",
    "additionalProperties": {
     "type": "integer",
     "minimum": 0
    },
    "description": "Since the start: refreshes, failures and timeouts among them; answers that accepted and refused the token, late among these; loops."
   },
   "OperationRun": {
    "type": "object",
    "required": [
     "id",
     "origin",
     "attempts",
     "startedAt"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "origin": {
      "$ref": "#/components/schemas/RunOrigin"
     },
     "attempts": {
      "type": "integer"
     },
     "startedAt": {
      "type": "string",
      "format": "date-time"
     }
    }
   },
   "OperationLastRun": {
    "type": "object",
    "required": [
     "id",
     "origin",
     "outcome",
     "attempts",
     "startedAt",
     "durationMs"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "origin": {
      "$ref": "#/components/schemas/RunOrigin"
     },
     "attempts": {
      "type": "integer"
     },
     "startedAt": {
      "type": "string",
      "format": "date-time"
     },
     "outcome": {
      "$ref": "#/components/schemas/RunOutcome"
     },
     "durationMs": {
      "type": "integer"
     }
    }
   },
   "SkippedEdges": {
    "type": "object",
    "required": [
     "gate",
     "fresh",
     "subscribers"
    ],
    "properties": {
     "gate": {
      "type": "integer"
     },
     "fresh": {
      "type": "integer"
     },
     "subscribers": {
      "type": "integer"
     }
    }
   },
   "SpecNode": {
    "type": "object",
    "required": [
     "pointer",
     "value"
    ],
    "properties": {
     "pointer": {
      "type": "string",
      "description": "Into `spec`; of a named specification's parts into `/specs/NAME`."
     },
     "value": {
      "type": "boolean"
     }
    }
   },
   "OutboxProblem": {
    "type": "object",
    "properties": {
     "code": {
      "type": "string"
     },
     "detail": {
      "type": "string"
     },
     "status": {
      "type": "integer"
     }
    }
   },
   "UpstreamFailure": {
    "type": "object",
    "required": [
     "code",
     "at"
    ],
    "properties": {
     "code": {
      "type": "string",
      "description": "As in problems."
     },
     "at": {
      "type": "string",
      "format": "date-time"
     }
    }
   },
   "UpstreamProbe": {
    "type": "object",
    "required": [
     "path",
     "good",
     "bad"
    ],
    "properties": {
     "path": {
      "type": "string"
     },
     "good": {
      "type": "integer",
      "minimum": 0
     },
     "bad": {
      "type": "integer",
      "minimum": 0
     }
    }
   },
   "UpstreamLoad": {
    "type": "object",
    "required": [
     "active",
     "waiting",
     "places"
    ],
    "properties": {
     "active": {
      "type": "integer",
      "minimum": 0
     },
     "waiting": {
      "type": "integer",
      "minimum": 0
     },
     "places": {
      "type": "integer",
      "minimum": 0
     }
    }
   },
   "UpstreamCounters": {
    "type": "object",
    "required": [
     "calls",
     "exchanges",
     "retries",
     "failures",
     "cancelled",
     "bytes",
     "dropped"
    ],
    "properties": {
     "calls": {
      "type": "integer",
      "minimum": 0
     },
     "exchanges": {
      "type": "integer",
      "minimum": 0
     },
     "retries": {
      "type": "integer",
      "minimum": 0
     },
     "failures": {
      "type": "integer",
      "minimum": 0
     },
     "cancelled": {
      "type": "integer",
      "minimum": 0
     },
     "bytes": {
      "type": "integer",
      "minimum": 0
     },
     "dropped": {
      "type": "integer",
      "minimum": 0
     }
    }
   },
   "UpstreamCredential": {
    "type": "object",
    "required": [
     "state",
     "version",
     "valid",
     "expiresAt"
    ],
    "properties": {
     "state": {
      "$ref": "#/components/schemas/CredentialState"
     },
     "version": {
      "type": "integer",
      "minimum": 0
     },
     "valid": {
      "type": "boolean"
     },
     "expiresAt": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     }
    }
   },
   "ControllerCounts": {
    "type": "object",
    "required": [
     "starts",
     "values",
     "replaced",
     "refused",
     "errors",
     "reruns",
     "refusedReruns",
     "thrown",
     "hangs",
     "floods",
     "late"
    ],
    "properties": {
     "starts": {
      "type": "integer",
      "minimum": 0
     },
     "values": {
      "type": "integer",
      "minimum": 0
     },
     "replaced": {
      "type": "integer",
      "minimum": 0
     },
     "refused": {
      "type": "integer",
      "minimum": 0
     },
     "errors": {
      "type": "integer",
      "minimum": 0
     },
     "reruns": {
      "type": "integer",
      "minimum": 0
     },
     "refusedReruns": {
      "type": "integer",
      "minimum": 0
     },
     "thrown": {
      "type": "integer",
      "minimum": 0
     },
     "hangs": {
      "type": "integer",
      "minimum": 0
     },
     "floods": {
      "type": "integer",
      "minimum": 0
     },
     "late": {
      "type": "integer",
      "minimum": 0
     }
    }
   },
   "RunSpecificationTree": {
    "type": "object",
    "minProperties": 1,
    "description": "One operator with its parts.",
    "additionalProperties": true,
    "example": {
     "and": [
      {
       "condition": "maintenance"
      },
      {
       "connected": "api"
      }
     ]
    }
   },
   "RemoveByIds": {
    "type": "object",
    "required": [
     "ids"
    ],
    "additionalProperties": false,
    "properties": {
     "ids": {
      "oneOf": [
       {
        "type": "array",
        "maxItems": 10000,
        "items": {
         "$ref": "#/components/schemas/Id"
        }
       },
       {
        "type": "string",
        "description": "Separated by commas.",
        "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
       }
      ]
     }
    }
   },
   "RemoveByFilter": {
    "type": "object",
    "required": [
     "filter"
    ],
    "additionalProperties": false,
    "properties": {
     "filter": {
      "$ref": "#/components/schemas/Filter"
     }
    }
   },
   "RemoveAll": {
    "type": "object",
    "required": [
     "all"
    ],
    "additionalProperties": false,
    "properties": {
     "all": {
      "const": true,
      "type": "boolean",
      "description": "Confirms removal of every entity of the type."
     }
    }
   },
   "Removal": {
    "oneOf": [
     {
      "$ref": "#/components/schemas/RemoveByIds"
     },
     {
      "$ref": "#/components/schemas/RemoveByFilter"
     },
     {
      "$ref": "#/components/schemas/RemoveAll"
     }
    ],
    "example": {
     "ids": [
      "bash",
      "zsh"
     ]
    }
   },
   "TypeList": {
    "type": "object",
    "required": [
     "items"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/TypeDescription"
      }
     }
    },
    "example": {
     "items": [
      {
       "name": "article",
       "count": 120,
       "unfit": 0,
       "sources": [
        "local"
       ],
       "declared": true,
       "schema": {
        "identifier": "integer",
        "properties": {
         "title": {
          "type": "string",
          "required": true
         }
        }
       },
       "indexes": [
        {
         "keys": "status,-at",
         "state": "ready",
         "entries": 120,
         "bytes": 9600
        }
       ]
      }
     ]
    }
   },
   "ImportLine": {
    "type": "object",
    "required": [
     "type",
     "entity"
    ],
    "additionalProperties": false,
    "properties": {
     "type": {
      "$ref": "#/components/schemas/TypeName"
     },
     "entity": {
      "$ref": "#/components/schemas/Entity"
     }
    },
    "description": "One line of an export."
   },
   "ImportResult": {
    "type": "object",
    "required": [
     "meta"
    ],
    "properties": {
     "meta": {
      "$ref": "#/components/schemas/WriteMeta"
     }
    },
    "example": {
     "meta": {
      "count": 2,
      "changed": 2,
      "revision": 1042
     }
    }
   },
   "LiveOverview": {
    "type": "object",
    "required": [
     "streams",
     "sessions",
     "groups",
     "subscriptions",
     "items"
    ],
    "properties": {
     "streams": {
      "type": "integer"
     },
     "sessions": {
      "type": "integer"
     },
     "groups": {
      "type": "integer",
      "description": "Distinct queries."
     },
     "subscriptions": {
      "type": "integer"
     },
     "items": {
      "type": "array",
      "description": "Open streams, at most 1,000, those that are furthest behind first.",
      "items": {
       "$ref": "#/components/schemas/LiveStream"
      }
     }
    },
    "example": {
     "streams": 1,
     "sessions": 0,
     "groups": 1,
     "subscriptions": 1,
     "items": [
      {
       "session": false,
       "caller": "ci",
       "lag": 0,
       "seq": 1042,
       "bytes": 0,
       "queries": [
        {
         "q": "",
         "type": "package",
         "mode": "delta",
         "index": "hash"
        }
       ]
      }
     ]
    }
   },
   "SessionQueries": {
    "type": "object",
    "required": [
     "queries"
    ],
    "additionalProperties": false,
    "properties": {
     "queries": {
      "type": "object",
      "description": "Relative URLs of searches and entities by name.",
      "additionalProperties": {
       "type": "string"
      }
     }
    }
   },
   "Session": {
    "type": "object",
    "required": [
     "session",
     "url",
     "expires"
    ],
    "properties": {
     "session": {
      "type": "string"
     },
     "url": {
      "type": "string"
     },
     "expires": {
      "type": "string",
      "format": "date-time"
     }
    },
    "example": {
     "session": "0f1e2d3c",
     "url": "/v1/_live/0f1e2d3c?ticket=5a6b7c8d",
     "expires": "2026-07-01T12:01:00Z"
    }
   },
   "SessionChanges": {
    "type": "object",
    "required": [
     "queries"
    ],
    "additionalProperties": false,
    "properties": {
     "queries": {
      "type": "object",
      "description": "Relative URLs of searches and entities by name. null removes one.",
      "additionalProperties": {
       "type": [
        "string",
        "null"
       ]
      }
     }
    }
   },
   "SessionState": {
    "type": "object",
    "required": [
     "session",
     "queries"
    ],
    "properties": {
     "session": {
      "type": "string"
     },
     "queries": {
      "type": "object",
      "additionalProperties": {
       "type": "string"
      }
     }
    },
    "example": {
     "session": "0f1e2d3c",
     "queries": {
      "games": "/v1/package?filter=section=='games'"
     }
    }
   },
   "StoreState": {
    "type": "object",
    "required": [
     "state",
     "revision"
    ],
    "properties": {
     "state": {
      "type": "string"
     },
     "revision": {
      "type": "integer"
     }
    }
   },
   "UpstreamList": {
    "type": "object",
    "required": [
     "items"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Upstream"
      }
     }
    }
   },
   "CredentialTokens": {
    "type": "object",
    "required": [
     "accessToken"
    ],
    "additionalProperties": false,
    "properties": {
     "accessToken": {
      "type": "string",
      "minLength": 1,
      "maxLength": 16384,
      "pattern": "^[!-~]([ -~]*[!-~])?$"
     },
     "refreshToken": {
      "type": [
       "string",
       "null"
      ],
      "minLength": 1,
      "maxLength": 16384,
      "pattern": "^[!-~]([ -~]*[!-~])?$"
     },
     "expiresIn": {
      "type": [
       "number",
       "string",
       "null"
      ],
      "minimum": 0,
      "pattern": "^[0-9]+(ms|s|m|h|d)$",
      "description": "Seconds, or a duration such as \"1h\"."
     }
    }
   },
   "OperationList": {
    "type": "object",
    "required": [
     "items"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Operation"
      }
     }
    },
    "example": {
     "items": [
      {
       "id": "todos",
       "kind": "query",
       "status": "success",
       "isLoading": false,
       "isStale": false,
       "valueVersion": 4,
       "valueUpdatedAt": "2026-07-01T12:00:00Z",
       "count": 20,
       "error": null,
       "errorUpdatedAt": null,
       "failures": 0,
       "automatic": true,
       "subscribers": 1,
       "run": null,
       "lastRun": {
        "id": "r-19",
        "origin": "every",
        "outcome": "success",
        "attempts": 1,
        "startedAt": "2026-07-01T12:00:00Z",
        "durationMs": 38
       },
       "edges": {
        "rises": 3,
        "falls": 2,
        "runs": 3,
        "skipped": {
         "gate": 0,
         "fresh": 0,
         "subscribers": 0
        }
       },
       "controllers": []
      }
     ]
    }
   },
   "Activation": {
    "type": "object",
    "required": [
     "active"
    ],
    "properties": {
     "active": {
      "type": "boolean"
     }
    },
    "additionalProperties": false,
    "example": {
     "active": false
    }
   },
   "OperationSpecs": {
    "type": "object",
    "required": [
     "id",
     "question",
     "active",
     "automatic",
     "stale",
     "when",
     "admit",
     "edges",
     "nextRun"
    ],
    "properties": {
     "id": {
      "type": "string"
     },
     "question": {
      "type": "string",
      "description": "What is asked of the remote."
     },
     "active": {
      "type": "boolean",
      "description": "The operation's own switch (`PUT /v1/_operations/{id}/active`)."
     },
     "automatic": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/SpecEvaluation"
       },
       {
        "type": "null"
       }
      ]
     },
     "stale": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/SpecEvaluation"
       },
       {
        "type": "null"
       }
      ]
     },
     "when": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/SpecEvaluation"
       },
       {
        "type": "null"
       }
      ]
     },
     "admit": {
      "oneOf": [
       {
        "$ref": "#/components/schemas/SpecEvaluation"
       },
       {
        "type": "null"
       }
      ]
     },
     "edges": {
      "$ref": "#/components/schemas/EdgeCounters"
     },
     "nextRun": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time",
      "description": "When `every` or `cron` runs it next; null where neither does, and behind a shut gate."
     }
    },
    "example": {
     "id": "todos",
     "question": "todo\norder [\"id\"]\nwindow 0 100",
     "active": true,
     "automatic": {
      "satisfied": true,
      "nextChange": null,
      "trace": [
       {
        "pointer": "/automatic",
        "value": true
       },
       {
        "pointer": "/automatic/and/0",
        "value": true
       },
       {
        "pointer": "/automatic/and/1",
        "value": true
       }
      ]
     },
     "stale": {
      "satisfied": true,
      "nextChange": null,
      "trace": [
       {
        "pointer": "/stale",
        "value": true
       }
      ]
     },
     "when": {
      "satisfied": true,
      "nextChange": null,
      "trace": [
       {
        "pointer": "/refetch/when",
        "value": true
       },
       {
        "pointer": "/refetch/when/and/0",
        "value": true
       },
       {
        "pointer": "/refetch/when/and/0/and/0",
        "value": true
       },
       {
        "pointer": "/refetch/when/and/0/and/1",
        "value": true
       },
       {
        "pointer": "/refetch/when/and/1",
        "value": true
       }
      ]
     },
     "admit": {
      "satisfied": true,
      "nextChange": null,
      "trace": [
       {
        "pointer": "/admit/when",
        "value": true
       }
      ]
     },
     "edges": {
      "rises": 0,
      "falls": 0,
      "runs": 0,
      "skipped": {
       "gate": 0,
       "fresh": 0,
       "subscribers": 0
      }
     },
     "nextRun": null
    }
   },
   "OutboxList": {
    "type": "object",
    "required": [
     "items"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/OutboxEntry"
      }
     }
    },
    "example": {
     "items": [
      {
       "id": "0190f3a2-7c1e-7d6b-9a41-0c5f2d7e8b90",
       "number": 7,
       "type": "todo",
       "entity": "41",
       "operation": "update",
       "state": "pending",
       "attempts": 0,
       "createdAt": "2026-07-01T12:00:00Z"
      }
     ]
    }
   },
   "CompactionReport": {
    "type": "object",
    "required": [
     "revision",
     "entities",
     "bytes",
     "removedFiles",
     "durationMs"
    ],
    "properties": {
     "revision": {
      "type": "integer"
     },
     "entities": {
      "type": "integer"
     },
     "bytes": {
      "type": "integer"
     },
     "removedFiles": {
      "type": "integer"
     },
     "durationMs": {
      "type": "integer"
     }
    }
   },
   "ScrubReport": {
    "type": "object",
    "required": [
     "files",
     "bytes",
     "entities",
     "damaged",
     "memoryErrors",
     "durationMs"
    ],
    "properties": {
     "files": {
      "type": "integer"
     },
     "bytes": {
      "type": "integer"
     },
     "entities": {
      "type": "integer"
     },
     "damaged": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "memoryErrors": {
      "type": "integer"
     },
     "durationMs": {
      "type": "integer"
     }
    }
   },
   "ConditionList": {
    "type": "object",
    "required": [
     "items"
    ],
    "properties": {
     "items": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Condition"
      }
     }
    }
   },
   "ConditionChanges": {
    "type": "object",
    "additionalProperties": {
     "anyOf": [
      {
       "type": "boolean"
      },
      {
       "$ref": "#/components/schemas/ConditionChange"
      }
     ]
    }
   },
   "ConditionChange": {
    "type": "object",
    "required": [
     "value"
    ],
    "additionalProperties": false,
    "properties": {
     "value": {
      "type": "boolean"
     },
     "ttl": {
      "type": [
       "string",
       "null"
      ],
      "maxLength": 18,
      "pattern": "^0*[1-9][0-9]{0,14}(ms|s|m|h|d)$",
      "description": "How long, more than nothing and 36,500 days at most; then the condition is again what it was declared as.",
      "example": "10m"
     }
    }
   },
   "SpecQuestion": {
    "type": "object",
    "required": [
     "spec"
    ],
    "additionalProperties": false,
    "properties": {
     "spec": {
      "$ref": "#/components/schemas/RunSpecification"
     },
     "operation": {
      "type": [
       "string",
       "null"
      ]
     },
     "at": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     }
    }
   },
   "LiveStream": {
    "type": "object",
    "properties": {
     "session": {
      "type": "boolean"
     },
     "caller": {
      "type": "string"
     },
     "lag": {
      "type": [
       "integer",
       "null"
      ],
      "description": "Commits that concern the query which is furthest behind and that the stream has yet to take; null before its first state."
     },
     "seq": {
      "type": [
       "integer",
       "null"
      ],
      "description": "The commit through which the client was last told that it is exact; null before the first time."
     },
     "bytes": {
      "type": "integer"
     },
     "queries": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/LiveStreamQuery"
      }
     }
    }
   },
   "LiveStreamQuery": {
    "type": "object",
    "properties": {
     "q": {
      "type": "string"
     },
     "type": {
      "type": "string"
     },
     "mode": {
      "$ref": "#/components/schemas/LiveForm"
     },
     "index": {
      "type": "string"
     }
    }
   },
   "LongPoll": {
    "type": "object",
    "description": "The answer with `wait`: the first news since `since`, as an event of live queries has it.",
    "required": [
     "cursor"
    ],
    "properties": {
     "cursor": {
      "type": "string",
      "description": "The next `since`."
     },
     "snapshot": {
      "$ref": "#/components/schemas/LiveSnapshot"
     },
     "delta": {
      "$ref": "#/components/schemas/LiveDelta"
     }
    },
    "example": {
     "cursor": "k3f9.1043",
     "delta": {
      "from": 1042,
      "to": 1043,
      "remove": {},
      "place": [
       [
        "bash",
        0
       ]
      ],
      "put": [
       {
        "id": "bash",
        "version": "5.2.15-2+b2"
       }
      ],
      "commits": 1
     }
    }
   },
   "LiveSnapshot": {
    "type": "object",
    "description": "Forget what was before, and take this.",
    "additionalProperties": true,
    "example": {
     "v": 1042,
     "why": "initial",
     "items": [
      {
       "id": "bash"
      }
     ],
     "part": 0,
     "more": false
    }
   },
   "LiveDelta": {
    "type": "object",
    "description": "Remove, then place, then put.",
    "additionalProperties": true,
    "example": {
     "from": 1042,
     "to": 1043,
     "remove": {
      "zsh": "deleted"
     },
     "place": [],
     "put": [],
     "commits": 1
    }
   },
   "Revision": {
    "description": "A revision as a number, or as its entity tag with or without quotes.",
    "oneOf": [
     {
      "type": "integer",
      "minimum": 0,
      "maximum": 9223372036854775807
     },
     {
      "type": "string",
      "pattern": "^([0-9]{1,18}|\"[0-9]{1,18}\")$",
      "maxLength": 20
     }
    ],
    "example": 1042
   },
   "ReadSource": {
    "type": "string",
    "enum": [
     "local",
     "remote",
     "remoteOrLocal",
     "localOrRemote",
     "localThenRemote"
    ]
   },
   "Persistence": {
    "type": "string",
    "enum": [
     "merge",
     "replace",
     "none"
    ]
   },
   "PlanKind": {
    "type": "string",
    "enum": [
     "index",
     "elements",
     "union",
     "intersection",
     "count",
     "id",
     "ids",
     "scan",
     "none"
    ]
   },
   "WriteOutcome": {
    "type": "string",
    "enum": [
     "unknown",
     "not-applied"
    ]
   },
   "CredentialGrant": {
    "type": "string",
    "enum": [
     "refresh_token",
     "client_credentials"
    ]
   },
   "CredentialState": {
    "type": "string",
    "enum": [
     "empty",
     "ready",
     "refreshing",
     "failed",
     "critical"
    ]
   },
   "OperationKind": {
    "type": "string",
    "enum": [
     "query",
     "pages",
     "mutation"
    ]
   },
   "OperationStatus": {
    "type": "string",
    "enum": [
     "idle",
     "loading",
     "success",
     "failure"
    ]
   },
   "OutboxOperation": {
    "type": "string",
    "enum": [
     "create",
     "update",
     "remove"
    ]
   },
   "OutboxState": {
    "type": "string",
    "enum": [
     "pending",
     "sending",
     "done",
     "superseded",
     "rejected",
     "dead"
    ]
   },
   "LinkState": {
    "type": "string",
    "enum": [
     "disconnected",
     "limited",
     "connected"
    ]
   },
   "ControllerState": {
    "type": "string",
    "enum": [
     "idle",
     "starting",
     "running",
     "pausing",
     "hung",
     "halted"
    ]
   },
   "AnswerSource": {
    "type": "string",
    "enum": [
     "local",
     "remote",
     "fallback"
    ]
   },
   "IncludeOutcome": {
    "type": "string",
    "enum": [
     "ok",
     "partial",
     "failed"
    ]
   },
   "IndexProgress": {
    "type": "string",
    "enum": [
     "building",
     "ready"
    ]
   },
   "RunOrigin": {
    "type": "string",
    "enum": [
     "manual",
     "subscribe",
     "when",
     "every",
     "cron",
     "event",
     "controller",
     "mutation"
    ]
   },
   "RunOutcome": {
    "type": "string",
    "enum": [
     "success",
     "failure",
     "cancelled",
     "superseded"
    ]
   },
   "LiveForm": {
    "type": "string",
    "enum": [
     "snapshot",
     "delta"
    ]
   },
   "LiveSwitch": {
    "type": "string",
    "enum": [
     "1"
    ]
   },
   "Digit": {
    "type": "string",
    "enum": [
     "0",
     "1"
    ]
   },
   "PageDirection": {
    "type": "string",
    "enum": [
     "next",
     "previous",
     "all"
    ]
   },
   "LiveMode": {
    "type": "string",
    "enum": [
     "1",
     "snapshot",
     "delta"
    ]
   },
   "WriteTarget": {
    "type": "string",
    "enum": [
     "local",
     "remote",
     "both"
    ]
   },
   "RemoteWait": {
    "type": "string",
    "enum": [
     "remote"
    ]
   },
   "DurabilityKind": {
    "type": "string",
    "enum": [
     "full",
     "relaxed",
     "memory"
    ]
   },
   "BooleanText": {
    "type": "string",
    "enum": [
     "true",
     "false"
    ]
   },
   "RefreshState": {
    "type": "string",
    "enum": [
     "started",
     "joined",
     "gated",
     "fresh",
     "none"
    ]
   },
   "DescribedTypes": {
    "type": "string",
    "enum": [
     "declared"
    ]
   }
  },
  "parameters": {
   "type": {
    "name": "type",
    "in": "path",
    "required": true,
    "description": "A type name.",
    "schema": {
     "$ref": "#/components/schemas/TypeName"
    },
    "example": "package"
   },
   "id": {
    "name": "id",
    "in": "path",
    "required": true,
    "description": "An identifier of 1 to 256 UTF-8 bytes, percent-encoded; `/` is `%2F`. A new entity has an id as `NewId` says.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "maxLength": 256,
     "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
    },
    "example": "bash"
   },
   "filter": {
    "name": "filter",
    "in": "query",
    "description": "A filter expression, http-api.md section 4. `and`, `or`, `not` need no escapes in a URL.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "maxLength": 16384,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "section=='games' and installedSize<1000"
   },
   "ids": {
    "name": "ids",
    "in": "query",
    "description": "Identifiers, separated by commas; answered in that order, without a default limit. Not with `order`, `after`.",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
    },
    "example": "bash,zsh"
   },
   "order": {
    "name": "order",
    "in": "query",
    "description": "Keys, separated by commas; `-` is descending, `:ci` ignores case.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "-installedSize,id"
   },
   "offset": {
    "name": "offset",
    "in": "query",
    "description": "Matches to leave out at the start, after ordering. Not with `after`.",
    "schema": {
     "type": "integer",
     "minimum": 0
    },
    "example": 0
   },
   "limit": {
    "name": "limit",
    "in": "query",
    "description": "The most items to answer; without it 100, or all of `ids`.",
    "schema": {
     "type": "integer",
     "minimum": 0,
     "maximum": 10000
    },
    "example": 20
   },
   "fields": {
    "name": "fields",
    "in": "query",
    "description": "Members to answer, separated by commas; `id` is always there.",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000]*$"
    },
    "example": "version,summary"
   },
   "count": {
    "name": "count",
    "in": "query",
    "description": "`true` adds `meta.total`, the number of matches without the window.",
    "schema": {
     "type": "boolean"
    },
    "example": true
   },
   "meta": {
    "name": "meta",
    "in": "query",
    "description": "`true` adds `_meta` to each item.",
    "schema": {
     "type": "boolean"
    },
    "example": true
   },
   "group": {
    "name": "group",
    "in": "query",
    "description": "A property by whose values the window's entities are grouped; the answer has `groups` in place of `items`, in order of first appearance. With `aggregate` all matches are grouped, a row of figures each.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "section"
   },
   "aggregate": {
    "name": "aggregate",
    "in": "query",
    "description": "Figures over all matches, without the window, separated by commas: `count`, `sum(p)`, `avg(p)`, `min(p)`, `max(p)`. The answer has `aggregates` in place of `items`. Sums are exact; of what is no number sum and avg know nothing, min and max are by the order of `order`.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "count,sum(installedSize)"
   },
   "distinct": {
    "name": "distinct",
    "in": "query",
    "description": "A property: the first entity of each of its values, in the order of the answer. The window comes after it, and `meta.total` counts values.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "section"
   },
   "contract": {
    "name": "contract",
    "in": "query",
    "description": "A contract that the configuration declares for the type: entities that break it are not shown.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "card"
   },
   "after": {
    "name": "after",
    "in": "query",
    "description": "The opaque keyset cursor of `meta.next`. Not with `offset`, `ids`, another `order` or `filter`, nor for a live query.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    }
   },
   "only": {
    "name": "type",
    "in": "query",
    "description": "Only this type.",
    "schema": {
     "$ref": "#/components/schemas/TypeName"
    },
    "example": "package"
   },
   "verbatim": {
    "name": "verbatim",
    "in": "query",
    "description": "Entities are stored as they stand: no rule of a declared type is asked, no default added, no lazy member kept.",
    "schema": {
     "type": "boolean",
     "default": false
    },
    "example": true
   },
   "all": {
    "name": "all",
    "in": "query",
    "description": "`true` confirms removal of every entity of the type.",
    "schema": {
     "type": "boolean"
    }
   },
   "live": {
    "name": "live",
    "in": "query",
    "description": "Watch in place of answering once; the answer is an event stream. Not with `after`, `explain`.",
    "schema": {
     "$ref": "#/components/schemas/LiveMode"
    },
    "example": "delta"
   },
   "heartbeat": {
    "name": "heartbeat",
    "in": "query",
    "description": "Seconds between heartbeats of a stream; 15 where it is absent, held to 5...60.",
    "schema": {
     "type": "integer",
     "minimum": 0,
     "maximum": 2147483648
    },
    "example": 15
   },
   "throttle": {
    "name": "throttle",
    "in": "query",
    "description": "The least milliseconds between events of a stream.",
    "schema": {
     "type": "integer",
     "minimum": 0,
     "maximum": 2147483648
    },
    "example": 200
   },
   "max": {
    "name": "max",
    "in": "query",
    "description": "The most seconds that a stream lives.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "maximum": 2147483648
    },
    "example": 3600
   },
   "old": {
    "name": "old",
    "in": "query",
    "description": "Deltas tell under `old` what the removed and changed entities were.",
    "schema": {
     "type": "boolean"
    },
    "example": true
   },
   "wait": {
    "name": "wait",
    "in": "query",
    "description": "A long poll in place of a stream: the first news since `since` as `{cursor, snapshot}` or `{cursor, delta}`, 204 after so many seconds without any; held to 300.",
    "schema": {
     "type": "integer",
     "minimum": 0,
     "maximum": 2147483648
    },
    "example": 30
   },
   "since": {
    "name": "since",
    "in": "query",
    "description": "A cursor to resume from, as `Last-Event-ID`.",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000]*$"
    },
    "example": "k3f9x2abcd.1042"
   },
   "If-Match": {
    "name": "If-Match",
    "in": "header",
    "description": "It happens only on one of these revisions; `*` is any. Writes: not with `If-None-Match`.",
    "schema": {
     "type": "string",
     "pattern": "^(\\*|(W/)?\"[!#-~]{0,40}\"(, *(W/)?\"[!#-~]{0,40}\"){0,4})$"
    }
   },
   "If-None-Match": {
    "name": "If-None-Match",
    "in": "header",
    "description": "304 where the ETag is one of these.",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$"
    },
    "example": "\"1042\""
   },
   "Prefer": {
    "name": "Prefer",
    "in": "header",
    "description": "`return=minimal`: no body. Other preferences are passed over (RFC 7240).",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$"
    },
    "example": "return=minimal"
   },
   "Idempotency-Key": {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A repeat within 24 h gets the first answer; with another body (in removals by the URL: another query) it is 422 `idempotency-mismatch`, while the first runs 409 `idempotency-in-progress`. A key belongs to one caller and one path. The latest 10,000 keys are remembered, of which the answers take at most 64 MiB: past either, the oldest are forgotten first.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "maxLength": 256,
     "pattern": "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$"
    },
    "example": "0190f3a2-7c1e-7d6b-9a41-0c5f2d7e8b90"
   },
   "Last-Event-ID": {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The resume position of a stream. One of another epoch (the data was restored, or an end lost commits), and for types in memory one of before the last start, gets a snapshot with `why` `epoch`.",
    "schema": {
     "type": "string",
     "pattern": "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$"
    }
   },
   "include": {
    "name": "include",
    "in": "query",
    "description": "Declared relationships whose entities come along, separated by commas, each a path of names; `*` alone is all of them.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    },
    "example": "author,comments.author"
   },
   "depth": {
    "name": "depth",
    "in": "query",
    "description": "Levels of `include=*`, 1 where it is absent; refused without `include=*`.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "maximum": 10
    },
    "example": 2
   },
   "explain": {
    "name": "explain",
    "in": "query",
    "description": "`true` adds `meta.plan`: the index that was used, rows that were looked at, and what else was weighed; to a caller with a row rule nothing that depends on rows which it may not read. Not for live queries.",
    "schema": {
     "type": "boolean"
    },
    "example": true
   },
   "source": {
    "name": "source",
    "in": "query",
    "description": "Where the answer may come from. Without a remote of the type `local`, else `localThenRemote`.",
    "schema": {
     "$ref": "#/components/schemas/ReadSource"
    },
    "example": "localOrRemote"
   },
   "persist": {
    "name": "persist",
    "in": "query",
    "description": "What a remote's answer does to the local stores; `merge` where it is absent. `replace` also removes what the complete answer lacks, and takes no `offset`, `limit`, `after` or `endpoint`.",
    "schema": {
     "$ref": "#/components/schemas/Persistence"
    },
    "example": "merge"
   },
   "trustRemote": {
    "name": "trustRemote",
    "in": "query",
    "description": "The remote's answer is neither filtered nor windowed again.",
    "schema": {
     "type": "boolean"
    },
    "example": true
   },
   "endpoint": {
    "name": "endpoint",
    "in": "query",
    "description": "A named endpoint of the type's remote; its parameters are `endpoint.NAME=value`.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    }
   },
   "target": {
    "name": "target",
    "in": "query",
    "description": "Where the write goes. `local`, also where it is absent: here. `both`: here at once, and to the type's remote through the outbox; 202 with the entry's URL as `Location`. `remote`: the remote is asked first, and what it answers is stored here. 400 for a type without such a remote, 403 for a caller whose level is local.",
    "schema": {
     "$ref": "#/components/schemas/WriteTarget"
    },
    "example": "both"
   },
   "wait-remote": {
    "name": "wait",
    "in": "query",
    "description": "With `target=both`: the answer waits for the end of the outbox entry, 15 seconds at most; 202 where it has not come by then.",
    "schema": {
     "$ref": "#/components/schemas/RemoteWait"
    }
   },
   "target-many": {
    "name": "target",
    "in": "query",
    "description": "Where the writes go. `local`, also where it is absent: here. `both`: here at once, all or nothing, and to the remotes through the outbox, an entry for each change; 202 with `Location`: the entry, or the list where there are several, whose addresses stand under `outbox`. `remote`: the remotes are asked first, for each entity by itself, since a remote knows no all or nothing, and what they answer is stored here; 200 with `results`, one for each entity, a failed one with its `problem`. By a filter those are written to that match here; `ids` alone also names what is not here. 400 for a type without such a remote, 403 for a caller whose level is local.",
    "schema": {
     "$ref": "#/components/schemas/WriteTarget"
    }
   },
   "endpoint-write": {
    "name": "endpoint",
    "in": "query",
    "description": "With `target=remote` or `target=both`: a named endpoint of the type's remote that has a `method`, in place of its requests to create, update and remove; its parameters are `endpoint.NAME=value`. A write to an endpoint is sent also where nothing changes here.",
    "schema": {
     "type": "string",
     "minLength": 1,
     "pattern": "^[^\\u0000]*$"
    }
   },
   "If-Match-read": {
    "name": "If-Match",
    "in": "header",
    "description": "412 where the ETag is none of these. The comparison is strong: the weak tag of a search matches `*` only.",
    "schema": {
     "type": "string",
     "pattern": "^(\\*|(W/)?\"[!#-~]{0,40}\"(, *(W/)?\"[!#-~]{0,40}\"){0,4})$"
    }
   },
   "If-None-Match-write": {
    "name": "If-None-Match",
    "in": "header",
    "description": "`*`: the write happens only where the entity is absent; tags: only at none of these revisions. Not with `If-Match`.",
    "schema": {
     "type": "string",
     "pattern": "^(\\*|(W/)?\"[!#-~]{0,40}\"(, *(W/)?\"[!#-~]{0,40}\"){0,4})$"
    },
    "example": "*"
   },
   "types": {
    "name": "types",
    "in": "query",
    "description": "`declared`: with the declared types.",
    "schema": {
     "$ref": "#/components/schemas/DescribedTypes"
    },
    "example": "declared"
   }
  },
  "headers": {
   "X-Request-Id": {
    "description": "The client's own where it sent a sane one.",
    "schema": {
     "type": "string"
    }
   },
   "ETag": {
    "description": "The revision as a strong validator.",
    "schema": {
     "type": "string"
    },
    "example": "\"1042\""
   },
   "Location": {
    "description": "The path of what was created.",
    "schema": {
     "type": "string"
    }
   },
   "Link": {
    "description": "The next page, `rel=\"next\"`.",
    "schema": {
     "type": "string"
    }
   },
   "Freshet-Cursor": {
    "description": "The cursor of the write's own commit.",
    "schema": {
     "type": "string"
    }
   },
   "Freshet-Durability": {
    "description": "What the acknowledgement promises.",
    "schema": {
     "$ref": "#/components/schemas/DurabilityKind"
    }
   },
   "Freshet-Changed": {
    "description": "`false` where the write changed nothing.",
    "schema": {
     "$ref": "#/components/schemas/BooleanText"
    }
   },
   "Freshet-Total": {
    "description": "The number of matches without the window.",
    "schema": {
     "type": "string",
     "pattern": "^[0-9]+$"
    }
   },
   "Vary": {
    "description": "`Accept`: the same URL is an answer or a stream.",
    "schema": {
     "type": "string"
    }
   },
   "Freshet-Source": {
    "description": "Where the answer comes from, for types with a remote; `fallback`: local, since the remote could not be had.",
    "schema": {
     "$ref": "#/components/schemas/AnswerSource"
    }
   },
   "Freshet-Refresh": {
    "description": "What goes on behind the answer, for types with a remote.",
    "schema": {
     "$ref": "#/components/schemas/RefreshState"
    }
   },
   "Freshet-Degraded": {
    "description": "With `fallback`: the code of the problem that the remote had.",
    "schema": {
     "type": "string"
    }
   },
   "Age": {
    "description": "Seconds since what is answered was fetched, where that is known.",
    "schema": {
     "type": "integer",
     "minimum": 0
    }
   }
  },
  "responses": {
   "BadRequest": {
    "description": "The request is malformed: `bad-request`, `bad-json`, `bad-parameter`, `bad-filter`, `query-too-complex`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "Forbidden": {
    "description": "A foreign `Origin` or `Sec-Fetch-Site: cross-site`: `origin-not-allowed`. A caller without the right, or a write outside of its rule: `forbidden`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "NotFound": {
    "description": "No such resource: `not-found`, `unknown-type`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "NotAcceptable": {
    "description": "No representation that `Accept` names: `not-acceptable`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "Conflict": {
    "description": "The identifier is taken, or the same `Idempotency-Key` is in progress: `exists`, `idempotency-in-progress`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "PreconditionFailed": {
    "description": "`If-Match` or `If-None-Match` does not hold: `precondition-failed`; for a write with the current entity as `current`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "PayloadTooLarge": {
    "description": "The body or the document is over its limit: `payload-too-large`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "URITooLong": {
    "description": "The request line is over 8 KiB: `uri-too-long`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "UnsupportedMediaType": {
    "description": "The body is not JSON, or is encoded: `unsupported-media-type`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Accept-Patch": {
      "description": "To a PATCH: the kinds of patch document that are taken.",
      "schema": {
       "type": "string"
      },
      "example": "application/merge-patch+json, application/json"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "MisdirectedRequest": {
    "description": "`Host` is neither `localhost`, nor a literal address, nor one of the server's names: `host-not-allowed`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "InvalidEntity": {
    "description": "The body is JSON but not what is due: `invalid-entity`, `id-mismatch`, `idempotency-mismatch`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "HeadersTooLarge": {
    "description": "The head is over 32 KiB or 100 fields: `headers-too-large`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "Internal": {
    "description": "A fault of the server: `internal`. The log has it under the request id.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "NotImplemented": {
    "description": "A part of the contract that this version lacks: `not-implemented`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "Unavailable": {
    "description": "`storage-failed`, `overloaded`, `query-timeout`, `shutting-down` or recovering.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds to wait.",
      "schema": {
       "type": "string"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "StorageFull": {
    "description": "The disk is full; reads go on: `storage-full`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds to wait.",
      "schema": {
       "type": "string"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "Unauthenticated": {
    "description": "No token where one is needed, or one that is unknown, expired or revoked: `unauthenticated`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "WWW-Authenticate": {
      "description": "`Bearer`, with `error=\"invalid_token\"` where a token was sent.",
      "schema": {
       "type": "string"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "RateLimited": {
    "description": "Too many wrong tokens from this address: `rate-limited`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     },
     "Retry-After": {
      "description": "Seconds until the next attempt.",
      "schema": {
       "type": "integer"
      }
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "BadGateway": {
    "description": "The type's remote failed: `upstream-unreachable`, `upstream-status`, `upstream-shape`, `upstream-too-large`, `auth-refresh`, `auth-loop`. `excerpt` is the beginning of its text, with `***` for the secrets of the configuration. `reason` of `upstream-unreachable` is `dns`, `refused`, `tls`, `reset`, `lost` (a POST or PATCH was sent and no answer came: whether it was done is not known) or `other`. Its `detail` ends in what libcurl says of it, with the same `***`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "GatewayTimeout": {
    "description": "The type's remote did not answer in time: `upstream-timeout`.",
    "headers": {
     "X-Request-Id": {
      "$ref": "#/components/headers/X-Request-Id"
     }
    },
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   }
  },
  "securitySchemes": {
   "bearer": {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of the configuration's `access`. Without `access` every call is open to everybody."
   }
  }
 },
 "x-codes": [
  "method-not-allowed",
  "request-timeout",
  "version-not-supported"
 ]
}

"""#

    /// Members of `paths`, of `schemas`, and an element of `tags`, with a comma behind each:
    /// `{{type}}` stands for the type's name, `{{Name}}` for its schema's.
    static let pathsOfType: StaticString = #"""
"/v1/{{type}}":{"get":{"operationId":"search{{Name}}","tags":["{{type}}"],"summary":"Search; continuous with `Accept: text/event-stream` or `live`.","description":"With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.","parameters":[{"$ref":"#/components/parameters/filter"},{"$ref":"#/components/parameters/ids"},{"$ref":"#/components/parameters/order"},{"$ref":"#/components/parameters/offset"},{"$ref":"#/components/parameters/limit"},{"$ref":"#/components/parameters/after"},{"$ref":"#/components/parameters/include"},{"$ref":"#/components/parameters/depth"},{"$ref":"#/components/parameters/count"},{"$ref":"#/components/parameters/meta"},{"$ref":"#/components/parameters/explain"},{"$ref":"#/components/parameters/group"},{"$ref":"#/components/parameters/aggregate"},{"$ref":"#/components/parameters/distinct"},{"$ref":"#/components/parameters/contract"},{"$ref":"#/components/parameters/source"},{"$ref":"#/components/parameters/persist"},{"$ref":"#/components/parameters/trustRemote"},{"$ref":"#/components/parameters/endpoint"},{"$ref":"#/components/parameters/If-None-Match"},{"$ref":"#/components/parameters/If-Match-read"},{"$ref":"#/components/parameters/live"},{"$ref":"#/components/parameters/since"},{"$ref":"#/components/parameters/wait"},{"$ref":"#/components/parameters/throttle"},{"$ref":"#/components/parameters/heartbeat"},{"$ref":"#/components/parameters/max"},{"$ref":"#/components/parameters/old"},{"$ref":"#/components/parameters/Last-Event-ID"}],"responses":{"200":{"description":"The matches, or the stream where one is asked for.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Link":{"$ref":"#/components/headers/Link"},"Vary":{"$ref":"#/components/headers/Vary"},"Freshet-Source":{"$ref":"#/components/headers/Freshet-Source"},"Freshet-Refresh":{"$ref":"#/components/headers/Freshet-Refresh"},"Age":{"$ref":"#/components/headers/Age"},"Freshet-Degraded":{"$ref":"#/components/headers/Freshet-Degraded"}},"content":{"application/json":{"schema":{"anyOf":[{"$ref":"#/components/schemas/{{Name}}Result"},{"$ref":"#/components/schemas/LongPoll"}]}},"text/event-stream":{"schema":{"type":"string","description":"Server-sent events; live.md says which."}}}},"304":{"description":"Not changed since.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Source":{"$ref":"#/components/headers/Freshet-Source"},"Freshet-Refresh":{"$ref":"#/components/headers/Freshet-Refresh"},"Age":{"$ref":"#/components/headers/Age"},"Freshet-Degraded":{"$ref":"#/components/headers/Freshet-Degraded"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"414":{"$ref":"#/components/responses/URITooLong"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/Unavailable"},"504":{"$ref":"#/components/responses/GatewayTimeout"},"204":{"description":"With `wait`: no news came in time."}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-filter","bad-parameter","bad-request","forbidden","gated","headers-too-large","host-not-allowed","internal","not-acceptable","not-found","not-implemented","overloaded","precondition-failed","query-timeout","query-too-complex","rate-limited","recovering","shutting-down","snapshot-too-large","too-many-live-queries","too-many-queries","too-many-residual-queries","unauthenticated","unknown-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]},"post":{"operationId":"create{{Name}}","tags":["{{type}}"],"summary":"Create; the server makes the id unless the body has one.","description":"`Prefer: return=minimal` leaves the body out: 201 without one on creation, else 204. It is no parameter here, because a response of this document either has a body or has none.","parameters":[{"$ref":"#/components/parameters/Idempotency-Key"},{"$ref":"#/components/parameters/target"},{"$ref":"#/components/parameters/wait-remote"},{"$ref":"#/components/parameters/endpoint-write"},{"$ref":"#/components/parameters/Prefer"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/New{{Name}}"}}}},"responses":{"201":{"description":"Created; no body under `return=minimal`.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"},"Location":{"$ref":"#/components/headers/Location"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"409":{"$ref":"#/components/responses/Conflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"413":{"$ref":"#/components/responses/PayloadTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"503":{"$ref":"#/components/responses/Unavailable"},"507":{"$ref":"#/components/responses/StorageFull"},"202":{"description":"With `target=both`: done here, and on its way to the remote.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"description":"The entry in the outbox.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"502":{"$ref":"#/components/responses/BadGateway"},"504":{"$ref":"#/components/responses/GatewayTimeout"}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-json","bad-parameter","bad-request","exists","forbidden","gated","headers-too-large","host-not-allowed","idempotency-in-progress","idempotency-mismatch","internal","invalid-entity","not-acceptable","not-found","not-implemented","origin-not-allowed","overloaded","payload-too-large","precondition-failed","rate-limited","read-only","recovering","shutting-down","storage-failed","storage-full","too-many-entities","unauthenticated","unknown-type","unsupported-media-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]}},"/v1/{{type}}/{id}":{"get":{"operationId":"get{{Name}}","tags":["{{type}}"],"summary":"Get one; continuous as a search is.","description":"With `Accept: text/event-stream`, or `live`, the answer is a stream that never ends: hello, snapshot, delta (with `live=delta`), sync, bye. A snapshot shows `items`, `groups` or `aggregates`, its parts joined: keep them aside until the one with `more: false` has come, for only that one moves the position. A group never stands in two parts.","parameters":[{"$ref":"#/components/parameters/id"},{"$ref":"#/components/parameters/include"},{"$ref":"#/components/parameters/depth"},{"$ref":"#/components/parameters/meta"},{"$ref":"#/components/parameters/contract"},{"$ref":"#/components/parameters/source"},{"$ref":"#/components/parameters/persist"},{"$ref":"#/components/parameters/If-None-Match"},{"$ref":"#/components/parameters/If-Match-read"},{"$ref":"#/components/parameters/live"},{"$ref":"#/components/parameters/since"},{"$ref":"#/components/parameters/wait"},{"$ref":"#/components/parameters/throttle"},{"$ref":"#/components/parameters/heartbeat"},{"$ref":"#/components/parameters/max"},{"$ref":"#/components/parameters/old"},{"$ref":"#/components/parameters/Last-Event-ID"},{"$ref":"#/components/parameters/trustRemote"},{"$ref":"#/components/parameters/endpoint"}],"responses":{"200":{"description":"The entity; with `include` a result whose one item it is; or the stream where one is asked for.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Vary":{"$ref":"#/components/headers/Vary"},"Freshet-Source":{"$ref":"#/components/headers/Freshet-Source"},"Freshet-Refresh":{"$ref":"#/components/headers/Freshet-Refresh"},"Age":{"$ref":"#/components/headers/Age"},"Freshet-Degraded":{"$ref":"#/components/headers/Freshet-Degraded"}},"content":{"application/json":{"schema":{"anyOf":[{"$ref":"#/components/schemas/{{Name}}"},{"$ref":"#/components/schemas/{{Name}}Result"},{"$ref":"#/components/schemas/LongPoll"}]}},"text/event-stream":{"schema":{"type":"string","description":"Server-sent events; live.md says which."}}}},"304":{"description":"Not changed since.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Source":{"$ref":"#/components/headers/Freshet-Source"},"Freshet-Refresh":{"$ref":"#/components/headers/Freshet-Refresh"},"Age":{"$ref":"#/components/headers/Age"},"Freshet-Degraded":{"$ref":"#/components/headers/Freshet-Degraded"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"414":{"$ref":"#/components/responses/URITooLong"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/Unavailable"},"504":{"$ref":"#/components/responses/GatewayTimeout"},"204":{"description":"With `wait`: no news came in time."}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-parameter","bad-request","forbidden","gated","headers-too-large","host-not-allowed","internal","not-acceptable","not-found","not-implemented","overloaded","precondition-failed","query-timeout","query-too-complex","rate-limited","recovering","shutting-down","snapshot-too-large","too-many-live-queries","too-many-queries","too-many-residual-queries","unauthenticated","unknown-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]},"put":{"operationId":"set{{Name}}","tags":["{{type}}"],"summary":"Create or replace.","description":"`Prefer: return=minimal` leaves the body out: 201 without one on creation, else 204. It is no parameter here, because a response of this document either has a body or has none.","parameters":[{"$ref":"#/components/parameters/id"},{"$ref":"#/components/parameters/If-Match"},{"$ref":"#/components/parameters/If-None-Match-write"},{"$ref":"#/components/parameters/target"},{"$ref":"#/components/parameters/wait-remote"},{"$ref":"#/components/parameters/endpoint-write"},{"$ref":"#/components/parameters/Prefer"},{"$ref":"#/components/parameters/Idempotency-Key"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/New{{Name}}"}}}},"responses":{"200":{"description":"Replaced.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"201":{"description":"Created; no body under `return=minimal`.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"},"Location":{"$ref":"#/components/headers/Location"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"202":{"description":"With `target=both`: done here, and on its way to the remote.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"description":"The entry in the outbox.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"204":{"description":"Replaced, under `return=minimal`.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"409":{"$ref":"#/components/responses/Conflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"413":{"$ref":"#/components/responses/PayloadTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/Unavailable"},"504":{"$ref":"#/components/responses/GatewayTimeout"},"507":{"$ref":"#/components/responses/StorageFull"}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-json","bad-parameter","bad-request","exists","forbidden","gated","headers-too-large","host-not-allowed","id-mismatch","idempotency-in-progress","idempotency-mismatch","internal","invalid-entity","not-acceptable","not-found","not-implemented","origin-not-allowed","overloaded","payload-too-large","precondition-failed","rate-limited","read-only","recovering","shutting-down","storage-failed","storage-full","too-many-entities","unauthenticated","unknown-type","unsupported-media-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]},"patch":{"operationId":"patch{{Name}}","tags":["{{type}}"],"summary":"JSON merge patch, RFC 7396.","parameters":[{"$ref":"#/components/parameters/id"},{"$ref":"#/components/parameters/If-Match"},{"$ref":"#/components/parameters/If-None-Match-write"},{"$ref":"#/components/parameters/Prefer"},{"$ref":"#/components/parameters/target"},{"$ref":"#/components/parameters/wait-remote"},{"$ref":"#/components/parameters/endpoint-write"},{"$ref":"#/components/parameters/Idempotency-Key"}],"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/MergePatch"}},"application/merge-patch+json":{"schema":{"$ref":"#/components/schemas/MergePatch"}}}},"responses":{"200":{"description":"Patched.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"202":{"description":"With `target=both`: done here, and on its way to the remote.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"description":"The entry in the outbox.","schema":{"type":"string"}}},"content":{"application/json":{"schema":{"$ref":"#/components/schemas/{{Name}}"}}}},"204":{"description":"Patched, under `return=minimal`.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"409":{"$ref":"#/components/responses/Conflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"413":{"$ref":"#/components/responses/PayloadTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/Unavailable"},"504":{"$ref":"#/components/responses/GatewayTimeout"},"507":{"$ref":"#/components/responses/StorageFull"}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-json","bad-parameter","bad-request","forbidden","gated","headers-too-large","host-not-allowed","id-mismatch","idempotency-in-progress","idempotency-mismatch","internal","invalid-entity","not-acceptable","not-found","not-implemented","origin-not-allowed","overloaded","payload-too-large","precondition-failed","rate-limited","read-only","recovering","shutting-down","storage-failed","storage-full","too-many-entities","unauthenticated","unknown-type","unsupported-media-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]},"delete":{"operationId":"remove{{Name}}","tags":["{{type}}"],"summary":"Remove; 204 also where absent.","parameters":[{"$ref":"#/components/parameters/id"},{"$ref":"#/components/parameters/If-Match"},{"$ref":"#/components/parameters/If-None-Match-write"},{"$ref":"#/components/parameters/target"},{"$ref":"#/components/parameters/wait-remote"},{"$ref":"#/components/parameters/endpoint-write"},{"$ref":"#/components/parameters/Idempotency-Key"}],"responses":{"202":{"description":"With `target=both`: done here, and on its way to the remote.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"Location":{"description":"The entry in the outbox.","schema":{"type":"string"}}}},"204":{"description":"Removed, or absent before.","headers":{"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"},"ETag":{"$ref":"#/components/headers/ETag"},"Freshet-Cursor":{"$ref":"#/components/headers/Freshet-Cursor"},"Freshet-Durability":{"$ref":"#/components/headers/Freshet-Durability"},"Freshet-Changed":{"$ref":"#/components/headers/Freshet-Changed"}}},"400":{"$ref":"#/components/responses/BadRequest"},"401":{"$ref":"#/components/responses/Unauthenticated"},"403":{"$ref":"#/components/responses/Forbidden"},"404":{"$ref":"#/components/responses/NotFound"},"406":{"$ref":"#/components/responses/NotAcceptable"},"409":{"$ref":"#/components/responses/Conflict"},"412":{"$ref":"#/components/responses/PreconditionFailed"},"413":{"$ref":"#/components/responses/PayloadTooLarge"},"414":{"$ref":"#/components/responses/URITooLong"},"415":{"$ref":"#/components/responses/UnsupportedMediaType"},"421":{"$ref":"#/components/responses/MisdirectedRequest"},"422":{"$ref":"#/components/responses/InvalidEntity"},"429":{"$ref":"#/components/responses/RateLimited"},"431":{"$ref":"#/components/responses/HeadersTooLarge"},"500":{"$ref":"#/components/responses/Internal"},"501":{"$ref":"#/components/responses/NotImplemented"},"502":{"$ref":"#/components/responses/BadGateway"},"503":{"$ref":"#/components/responses/Unavailable"},"504":{"$ref":"#/components/responses/GatewayTimeout"},"507":{"$ref":"#/components/responses/StorageFull"}},"security":[{},{"bearer":[]}],"x-codes":["auth-critical","auth-loop","auth-refresh","bad-parameter","bad-request","forbidden","gated","headers-too-large","host-not-allowed","idempotency-in-progress","idempotency-mismatch","internal","invalid-entity","not-acceptable","not-found","not-implemented","origin-not-allowed","overloaded","payload-too-large","precondition-failed","rate-limited","read-only","recovering","shutting-down","storage-failed","storage-full","too-many-entities","unauthenticated","unknown-type","unsupported-media-type","upstream-shape","upstream-status","upstream-timeout","upstream-too-large","upstream-unreachable","uri-too-long"]}},

"""#
    static let schemasOfType: StaticString = #"""
"{{Name}}Result":{"type":"object","required":["meta"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/{{Name}}"}},"groups":{"type":"array","items":{"$ref":"#/components/schemas/{{Name}}Group"}},"aggregates":{"description":"With `group` a row for each group, with its `key`; else one object of all matches.","oneOf":[{"type":"array","items":{"$ref":"#/components/schemas/Figures"}},{"$ref":"#/components/schemas/Figures"}]},"meta":{"$ref":"#/components/schemas/ResultMeta"},"included":{"type":"object","description":"With `include`: type, then id, then entity; each once, and none that stands in `items`.","additionalProperties":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/{{Name}}"}}}},"description":"One of `items`, `groups` (with `group`) and `aggregates` (with `aggregate`), and `meta`, where `count` is the number of entities, or of rows of figures."},"{{Name}}Group":{"type":"object","required":["key","items"],"properties":{"key":{"description":"The value as the group's first entity spells it; null also where it has none."},"items":{"type":"array","items":{"$ref":"#/components/schemas/{{Name}}"}}}},

"""#
    static let tagOfType: StaticString = #"""
{"name": "{{type}}", "description": "Entities of the declared type `{{type}}`."},

"""#

    /// Schemas, and operations without their verb.
    static let names: StaticString = #"""
Activation AnswerSource Batch BatchPatch BatchPatchOperation BatchRemove BatchRemoveOperation BatchResult BatchSet BatchSetOperation BooleanText CompactionReport Condition ConditionChange ConditionChanges ConditionList Conditions Controller ControllerCounts ControllerState Credential CredentialCounts CredentialGrant CredentialState CredentialTokens DeclaredType DeclaredTypes DescribedTypes Digit DurabilityKind EdgeCounters Entities EntitiesByBody Entity Evaluation Fault Figures Filter FilterTree Group Id ImportLine ImportResult IncludeOutcome IndexProgress IndexState LinkState List LiveDelta LiveForm LiveMode LiveOverview LiveSnapshot LiveStream LiveStreamQuery LiveSwitch LongPoll MergePatch Module NewEntity NewId NewTextId Object OfOld Operation OperationKind OperationLastRun OperationList OperationRun OperationSpecs OperationStatus Operations Outbox OutboxEntry OutboxList OutboxOperation OutboxProblem OutboxState Page PageDirection PageScript Pages Persistence Plan PlanCandidate PlanKind Problem Query ReadSource RefreshState RemoteResult RemoteWait Removal RemoveAll RemoveByFilter RemoveByIds RemoveResult Result ResultMeta Revision Root RunOrigin RunOutcome RunSpecification RunSpecificationTree ScrubReport Service ServiceSwitch Session SessionChanges SessionQueries SessionState SetItem SetResult Several SkippedEdges Spec SpecEvaluation SpecNode SpecQuestion Store StoreState StoredId TypeDeclaration TypeDescription TypeList TypeName Types UnfitEntity Upstream UpstreamCounters UpstreamCredential UpstreamFailure UpstreamList UpstreamLoad UpstreamProbe Upstreams WriteMeta WriteOutcome WriteResult WriteTarget

"""#
}
