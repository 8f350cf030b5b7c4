import FreshetHTTPServer

/// Every endpoint's handler.
struct StandardHandlers: EndpointHandlers {
    func handle(
        _ endpoint: Endpoint, of service: FreshetService, _ request: borrowing Request,
        _ context: LoopContext, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        switch endpoint {
        case .getEntity: try service.getEntity(request, context, reply, &response)
        case .setEntity: try service.setEntity(request, context, reply, &response)
        case .patchEntity: try service.patchEntity(request, context, reply, &response)
        case .removeEntity: try service.removeEntity(request, context, reply, &response)
        case .searchEntities: try service.searchEntities(request, context, reply, &response)
        case .searchByBody: try service.searchByBody(request, context, reply, &response)
        case .createEntity: try service.createEntity(request, context, reply, &response)
        case .setMany: try service.setMany(request, context, reply, &response)
        case .removeMany: try service.removeMany(request, context, reply, &response)
        case .removeManyByBody: try service.removeManyByBody(request, context, reply, &response)
        case .batch: try service.batch(request, context, reply, &response)
        case .listTypes: try service.listTypes(request, context, reply, &response)
        case .startPage: try service.startPage(request, context, reply, &response)
        case .describeTypes: try service.describeTypes(request, context, reply, &response)
        case .describeType: try service.describeType(request, context, reply, &response)
        case .export: try service.export(request, context, reply, &response)
        case .importEntities: try service.importWithoutBody(request, context, reply, &response)
        case .reopenStore: try service.reopenStore(request, context, reply, &response)
        case .compactStore: try service.compactStore(request, context, reply, &response)
        case .scrubStore: try service.scrubStore(request, context, reply, &response)
        case .backup: try service.backup(request, context, reply, &response)
        case .listOutbox: try service.listOutbox(request, context, reply, &response)
        case .outboxEntry: try service.outboxEntry(request, context, reply, &response)
        case .removeOutboxEntry: try service.removeOutboxEntry(request, context, reply, &response)
        case .retryOutboxEntry: try service.retryOutboxEntry(request, context, reply, &response)
        case .listUpstreams: try service.listUpstreams(request, context, reply, &response)
        case .listOperations: try service.listOperations(request, context, reply, &response)
        case .showOperation: try service.showOperation(request, context, reply, &response)
        case .runOperation: try service.runOperation(request, context, reply, &response)
        case .fetchPages: try service.fetchPages(request, context, reply, &response)
        case .cancelOperation: try service.cancelOperation(request, context, reply, &response)
        case .invalidateOperation:
            try service.invalidateOperation(request, context, reply, &response)
        case .resetOperation: try service.resetOperation(request, context, reply, &response)
        case .removeOperation: try service.removeOperation(request, context, reply, &response)
        case .switchOperation: try service.switchOperation(request, context, reply, &response)
        case .showServiceSwitch: try service.showServiceSwitch(request, context, reply, &response)
        case .switchService: try service.switchService(request, context, reply, &response)
        case .showSpecifications: try service.showSpecifications(request, context, reply, &response)
        case .describeCredential: try service.describeCredential(request, context, reply, &response)
        case .setCredential: try service.setCredential(request, context, reply, &response)
        case .removeCredential: try service.removeCredential(request, context, reply, &response)
        case .listConditions: try service.listConditions(request, context, reply, &response)
        case .setConditions: try service.setConditions(request, context, reply, &response)
        case .showCondition: try service.showCondition(request, context, reply, &response)
        case .setCondition: try service.setCondition(request, context, reply, &response)
        case .evaluateSpec: try service.evaluateSpec(request, context, reply, &response)
        case .livez: try service.livez(request, context, reply, &response)
        case .readyz: try service.readyz(request, context, reply, &response)
        case .metrics: try service.showMetrics(request, context, reply, &response)
        case .openAPI: try service.openAPI(request, context, reply, &response)
        case .version, .problemIndex, .problemPage, .documentation, .documentationPage,
            .documentationList,
            .browserFile:
            try service.staticPage(endpoint, request, context, reply, &response)
        case .movedPage: try service.movedPage(request, context, reply, &response)
        case .watchSeveral: try service.watchSeveral(request, context, reply, &response)
        case .createSession: try service.createSession(request, context, reply, &response)
        case .watchSession: try service.watchSession(request, context, reply, &response)
        case .changeSession: try service.changeSession(request, context, reply, &response)
        case .endSession: try service.endSession(request, context, reply, &response)
        }
    }

    func importReceiver(
        of service: FreshetService, _ request: borrowing Request, _ context: LoopContext,
        _ reply: Reply
    ) throws(Problem) -> any BodyReceiver {
        ImportReceiver(service, reply, try service.importOptions(request, context))
    }
}
