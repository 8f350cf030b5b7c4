import FreshetBase
import FreshetConfig
import FreshetHTTPServer

/// What a request asks for: one case and one handler file each.
enum Endpoint: UInt8, Sendable {
    case listTypes, startPage
    case searchEntities, searchByBody, createEntity, setMany, removeMany, removeManyByBody
    case getEntity, setEntity, patchEntity, removeEntity
    case batch, describeTypes, describeType, inferType, export, importEntities
    case describeCaller, checkAccess, describeService
    case searchSystemType, getSystemRow, searchRowsOfLeader, getRowOfLeader
    case describeStore, reopenStore, compactStore, scrubStore, backup
    case listOutbox, outboxEntry, removeOutboxEntry, retryOutboxEntry
    case listUpstreams, probeUpstream
    case listOperations, showOperation, runOperation, fetchPages, cancelOperation
    case invalidateOperation, resetOperation, removeOperation, switchOperation
    case describeOperation, showSpecifications, listRuns, showServiceSwitch, switchService
    case describeCredential, setCredential, removeCredential
    case listConditions, setConditions, showCondition, setCondition, forecastConditions
    case evaluateSpec
    case livez, readyz, metrics, version, openAPI, problemIndex, problemPage
    case documentation, documentationPage, documentationList
    case browserFile, movedPage
    case watchSeveral, createSession, watchSession, changeSession, endSession
    case describeCluster, stepDown, reportReplica
    case closeStream
}

extension Endpoint {
    /// What the metrics count its requests under; a live query is `live` wherever it is asked.
    var trafficClass: TrafficClass {
        switch self {
        case .getEntity, .listTypes, .describeTypes, .describeType: .read
        case .searchEntities, .searchByBody, .inferType: .search
        case .createEntity, .setEntity, .patchEntity, .removeEntity, .setMany, .removeMany,
            .removeManyByBody, .batch, .importEntities:
            .write
        case .watchSeveral, .createSession, .watchSession, .changeSession, .endSession: .live
        case .startPage, .openAPI, .problemIndex, .problemPage, .documentation,
            .documentationPage, .documentationList, .browserFile, .movedPage:
            .page
        default: .operate
        }
    }

    /// What of the store it shows, so that its caller may say of which commit at least; nil for
    /// nothing.
    var shown: StoredState? {
        switch self {
        case .getEntity, .searchEntities, .searchByBody, .watchSeveral, .createSession,
            .watchSession, .export, .inferType:
            .entities
        case .listTypes, .describeTypes, .describeType: .types
        case .listConditions, .showCondition, .listOutbox, .outboxEntry, .listOperations,
            .showOperation, .describeOperation, .showSpecifications, .listRuns,
            .showServiceSwitch, .searchRowsOfLeader, .getRowOfLeader:
            .orders
        default: nil
        }
    }

    enum StoredState {
        /// As they are at one commit, which the answer names; refused where it would be too old.
        case entities
        case types
        /// What the board of operations and the outbox have, who take a commit over behind its
        /// application.
        case orders
    }

    /// Whether it is an order that is stored, beside writes of entities: its answer names a commit that
    /// has it.
    var isStoredOrder: Bool {
        switch self {
        case .setCondition, .setConditions, .switchOperation, .switchService, .removeOutboxEntry,
            .retryOutboxEntry:
            true
        default: false
        }
    }

    /// Whether it is of a session of live queries, which one server of a cluster keeps.
    var isOfSession: Bool {
        switch self {
        case .watchSession, .changeSession, .endSession: true
        default: false
        }
    }

    /// Whether in a cluster the server that leads answers it: it changes what all have, or asks what
    /// the leader alone does.
    var isLeaders: Bool {
        switch self {
        case .listOperations, .showOperation, .runOperation, .fetchPages, .cancelOperation,
            .invalidateOperation, .resetOperation, .removeOperation, .switchOperation,
            .describeOperation, .showSpecifications, .listRuns, .showServiceSwitch, .switchService,
            .evaluateSpec, .forecastConditions, .probeUpstream:
            true
        case .searchRowsOfLeader, .getRowOfLeader, .listUpstreams, .describeCredential,
            .setCredential, .removeCredential,
            .removeOutboxEntry, .retryOutboxEntry, .setConditions, .setCondition, .stepDown:
            true
        default: trafficClass == .write
        }
    }

    /// Writes entities that its address does not name, so that no entity tag is theirs.
    var changesMany: Bool {
        switch self {
        case .createEntity, .setMany, .removeMany, .removeManyByBody, .batch, .importEntities: true
        default: false
        }
    }

    /// Whether an `Idempotency-Key` makes it safe to repeat: its first answer is kept.
    var keepsAnswer: Bool {
        switch self {
        case .createEntity, .setEntity, .patchEntity, .removeEntity, .setMany, .removeMany,
            .removeManyByBody, .batch:
            true
        default: false
        }
    }

    /// What is set or switched and is no entity.
    var isOrder: Bool {
        switch self {
        case .setCondition, .setConditions, .setCredential, .switchOperation, .switchService: true
        default: false
        }
    }

    /// Asked by what watches over the server, which knows its address only.
    var isProbe: Bool { self == .livez || self == .readyz }

    /// The largest body that is read: a query has room for 10,000 ids.
    func mostBytes(_ limits: Limits) -> Int {
        switch self {
        case .setEntity, .patchEntity, .createEntity, .runOperation, .checkAccess:
            limits.entityBodyBytes
        case .searchByBody, .removeManyByBody: min(limits.bodyBytes, 4 << 20)
        case .setCredential, .switchOperation, .switchService: min(limits.bodyBytes, 64 << 10)
        case .createSession, .changeSession: min(limits.bodyBytes, 1 << 20)
        case .setCondition: min(limits.bodyBytes, 64 << 10)
        case .reportReplica: min(limits.bodyBytes, ReplicaReport.mostBytes)
        case .setConditions, .forecastConditions, .evaluateSpec: min(limits.bodyBytes, 1 << 20)
        default: limits.bodyBytes
        }
    }

    enum Body { case json, mergePatch, lines }

    /// The kind of body that is due, or nil where none is.
    var acceptedBody: Body? {
        switch self {
        case .setEntity, .createEntity, .searchByBody, .removeManyByBody, .batch, .createSession,
            .setCredential, .switchOperation, .switchService, .reportReplica:
            .json
        case .setCondition, .forecastConditions, .evaluateSpec, .checkAccess: .json
        case .patchEntity, .changeSession, .setConditions: .mergePatch
        case .setMany, .importEntities: .lines
        default: nil
        }
    }
}
