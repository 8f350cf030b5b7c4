package import FreshetBase
package import FreshetRefresh
package import FreshetQuery

/// The configured upstreams and the types that come from them.
package final class RemoteCatalog: Sendable {
    /// In the order of the configuration.
    package let all: [Upstream]
    /// By name.
    package let upstreams: [String: Upstream]
    package let sources: [TypeName: RESTSource]
    /// How they can be reached; `links.start()` begins the probes.
    package let links: UpstreamLinks

    /// - Parameters:
    ///   - mappings: Those of an upstream that is not there are left out.
    ///   - maximumEntity: The most bytes of an entity.
    ///   - permission: Asked before each request.
    ///   - transport: What reaches an upstream; `HTTPTransport` unless a test has its own.
    ///   - streams: The same of its event streams.
    package init(
        _ settings: [UpstreamSettings], _ mappings: [RemoteMapping], maximumEntity: Int,
        userAgent: String, log: Log, clock: any OperationClock = SystemOperationClock(),
        permission: @escaping SendPermission = Upstream.always,
        transport: ((UpstreamSettings) -> any UpstreamTransport)? = nil,
        streams: ((UpstreamSettings) -> any StreamTransport)? = nil
    ) {
        var upstreams: [String: Upstream] = [:]
        for settings in settings {
            let transport =
                transport?(settings)
                ?? HTTPTransport(
                    base: settings.base, route: settings.route, clock: clock)
            upstreams[settings.name] = Upstream(
                settings, transport: transport,
                streams: streams?(settings)
                    ?? HTTPStreams(
                        base: settings.base, route: settings.route, clock: clock),
                clock: clock, userAgent: userAgent, permission: permission)
        }
        var sources: [TypeName: RESTSource] = [:]
        for mapping in mappings {
            guard let upstream = upstreams[mapping.upstream] else { continue }
            sources[mapping.type] = RESTSource(
                mapping, upstream: upstream, maximumEntity: maximumEntity, log: log)
        }
        all = settings.compactMap { upstreams[$0.name] }
        self.upstreams = upstreams
        self.sources = sources
        links = UpstreamLinks(upstreams, clock: clock, log: log)
    }
}
