import { propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tracer, within } from '../db/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Starts a request's span; it continues the proxy's trace if the proxy is trusted. */
export function startSpan(request: FastifyRequest, call: string, isTrusted: boolean): void {
  const parent = isTrusted ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
  const attributes = {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url ?? '',
    'fieldwork.request_id': request.id,
  }
  spans.set(request, tracer.startSpan(call, { kind: SpanKind.SERVER, attributes }, parent))
}

/** Runs a part of a request in its span. */
export function inSpan<T>(request: FastifyRequest, work: () => T): T {
  const span = spans.get(request)
  return span ? within(span, work) : work()
}

/** Ends a request's span with its status. */
export function endSpan(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const span = spans.get(request)
  span?.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.end()
}
