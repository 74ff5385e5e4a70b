import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { migratedDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { startServer } from '../support/server.ts'
import { signedIn } from './calling.ts'

interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** A collector for OTLP over HTTP; `spans` are those that it has received. */
async function openCollector() {
  const spans: ReceivedSpan[] = []
  const collector = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] }
    if (request.url === '/v1/traces')
      spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    collector.closeAllConnections()
    collector.close()
  })
  return { spans, url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` }
}

test('a call is a span of the proxy’s trace, with its statements, their text and none of their values', async () => {
  const { spans, url } = await openCollector()
  const place = { ...(await migratedDatabase()), DEMO: 'none' }
  const services = await createServices(readSettings({ ...place, NODE_ENV: 'test' }), pino({ level: 'silent' }))
  const headers = await signedIn(services, await makers(services).user({ role: 'admin' }))
  await closeServices(services)
  const server = await startServer({ ...place, TRUST_PROXY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: url, DRAIN_SECONDS: '0' })
  onTestFinished(() => server.kill())

  const [traceId, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const answer = await fetch(`${server.url}/v3/portal/clients?search=Sunflower`, {
    headers: { ...headers, traceparent: `00-${traceId}-${parent}-01` },
  })
  expect(answer.status).toBe(200)
  // The last spans are sent when the server ends.
  await server.stop()

  const call = spans.find(({ name }) => name === 'client.list')
  expect(call).toMatchObject({ traceId, parentSpanId: parent })
  const attributes = Object.fromEntries(
    call!.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
  expect(attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'fieldwork.request_id': answer.headers.get('x-request-id'),
  })
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === call!.spanId)
  expect(statements.map(({ name }) => name)).toContain('SELECT')
  const texts = JSON.stringify(statements)
  expect(texts).toContain('from clients where')
  expect(texts).not.toContain('Sunflower')
})
