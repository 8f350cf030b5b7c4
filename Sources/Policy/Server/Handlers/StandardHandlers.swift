import FreshetHTTPServer

/// Every endpoint's handler.
struct StandardHandlers: EndpointHandlers {
    func handle(
        _ endpoint: Endpoint, of service: FreshetService, _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        switch endpoint {
        case .getEntity: try service.getEntity(call, &response)
        case .setEntity: try service.setEntity(call, &response)
        case .patchEntity: try service.patchEntity(call, &response)
        case .removeEntity: try service.removeEntity(call, &response)
        case .searchEntities: try service.searchEntities(call, &response)
        case .searchByBody: try service.searchByBody(call, &response)
        case .createEntity: try service.createEntity(call, &response)
        case .setMany: try service.setMany(call, &response)
        case .removeMany: try service.removeMany(call, &response)
        case .removeManyByBody: try service.removeManyByBody(call, &response)
        case .batch: try service.batch(call, &response)
        case .listTypes: try service.listTypes(call, &response)
        case .startPage: try service.startPage(call, &response)
        case .describeTypes: try service.describeTypes(call, &response)
        case .describeType: try service.describeType(call, &response)
        case .inferType: try service.inferType(call, &response)
        case .describeCaller: try service.describeCaller(call, &response)
        case .checkAccess: try service.checkAccess(call, &response)
        case .closeStream: try service.closeStream(call, &response)
        case .describeService: try service.describeService(call, &response)
        case .searchSystemType, .searchRowsOfLeader:
            try service.searchSystemType(call, &response)
        case .getSystemRow, .getRowOfLeader: try service.getSystemRow(call, &response)
        case .export: try service.export(call, &response)
        case .importEntities: try service.importWhole(call, &response)
        case .describeStore: try service.describeStore(call, &response)
        case .reopenStore: try service.reopenStore(call, &response)
        case .compactStore: try service.compactStore(call, &response)
        case .scrubStore: try service.scrubStore(call, &response)
        case .backup: try service.backup(call, &response)
        case .listOutbox: try service.listOutbox(call, &response)
        case .outboxEntry: try service.outboxEntry(call, &response)
        case .removeOutboxEntry: try service.removeOutboxEntry(call, &response)
        case .retryOutboxEntry: try service.retryOutboxEntry(call, &response)
        case .listUpstreams: try service.listUpstreams(call, &response)
        case .probeUpstream: try service.probeUpstream(call, &response)
        case .listOperations: try service.listOperations(call, &response)
        case .showOperation: try service.showOperation(call, &response)
        case .runOperation: try service.runOperation(call, &response)
        case .fetchPages: try service.fetchPages(call, &response)
        case .cancelOperation: try service.cancelOperation(call, &response)
        case .invalidateOperation:
            try service.invalidateOperation(call, &response)
        case .resetOperation: try service.resetOperation(call, &response)
        case .removeOperation: try service.removeOperation(call, &response)
        case .switchOperation: try service.switchOperation(call, &response)
        case .showServiceSwitch: try service.showServiceSwitch(call, &response)
        case .switchService: try service.switchService(call, &response)
        case .describeOperation: try service.describeOperation(call, &response)
        case .showSpecifications: try service.showSpecifications(call, &response)
        case .listRuns: try service.listRuns(call, &response)
        case .describeCredential: try service.describeCredential(call, &response)
        case .setCredential: try service.setCredential(call, &response)
        case .removeCredential: try service.removeCredential(call, &response)
        case .listConditions: try service.listConditions(call, &response)
        case .setConditions: try service.setConditions(call, &response)
        case .showCondition: try service.showCondition(call, &response)
        case .setCondition: try service.setCondition(call, &response)
        case .forecastConditions: try service.forecastConditions(call, &response)
        case .evaluateSpec: try service.evaluateSpec(call, &response)
        case .describeCluster: try service.describeCluster(call, &response)
        case .stepDown: try service.stepDown(call, &response)
        case .reportReplica: try service.reportReplica(call, &response)
        case .livez: try service.livez(call, &response)
        case .readyz: try service.readyz(call, &response)
        case .metrics: try service.showMetrics(call, &response)
        case .openAPI: try service.openAPI(call, &response)
        case .version, .problemIndex, .problemPage, .documentation, .documentationPage,
            .documentationList,
            .browserFile:
            try service.staticPage(endpoint, call, &response)
        case .movedPage: try service.movedPage(call, &response)
        case .watchSeveral: try service.watchSeveral(call, &response)
        case .createSession: try service.createSession(call, &response)
        case .watchSession: try service.watchSession(call, &response)
        case .changeSession: try service.changeSession(call, &response)
        case .endSession: try service.endSession(call, &response)
        }
    }

    func importReceiver(
        of service: FreshetService, _ request: borrowing Request, _ context: LoopContext,
        _ reply: Reply
    ) throws(Problem) -> any BodyReceiver {
        ImportReceiver(service, reply, try service.importOptions(request, context))
    }
}
