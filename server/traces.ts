import type { Settings } from './core/settings.ts'

/**
 * Sends traces to an OpenTelemetry collector (OTLP over HTTP), if there is one in the settings; returns what stops it.
 * The SDK is loaded only then. What can't be delivered is dropped: monitoring must not slow down or stop a server.
 */
export async function startTraces({ traces }: Settings): Promise<() => Promise<void>> {
  if (!traces) return async () => {}
  const [
    { context, propagation, trace },
    sdk,
    { OTLPTraceExporter },
    hooks,
    { resourceFromAttributes },
    { W3CTraceContextPropagator },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ])
  const exporter = new OTLPTraceExporter({ url: traces.url })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': traces.service }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(traces.share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return () => provider.shutdown()
}
