import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { LogEvent } from 'kysely'

/** Where the server's spans come from; it does nothing until `server/traces.ts` has started the SDK. */
export const tracer = trace.getTracer('fieldwork')

/** Runs work as part of a span. */
export const within = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work)

/** Runs work as a trace of its own, which ends with it. */
export async function asTrace<T>(name: string, attributes: Record<string, string | number>, work: () => Promise<T>): Promise<T> {
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, ROOT_CONTEXT)
  try {
    return await within(span, work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    span.end()
  }
}

/** Kysely's log: adds each statement to the span that it belongs to, without its values. */
export function traceStatement({ level, query, queryDurationMillis }: LogEvent): void {
  if (!trace.getActiveSpan()?.isRecording()) return
  const end = Date.now()
  const operation = /^\W*(\w+)/.exec(query.sql)?.[1]?.toUpperCase() ?? 'SQL'
  const span = tracer.startSpan(operation, {
    kind: SpanKind.CLIENT,
    startTime: end - queryDurationMillis,
    attributes: { 'db.operation.name': operation, 'db.query.text': query.sql },
  })
  if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
}
