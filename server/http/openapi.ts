import type { FastifyInstance } from 'fastify'
import { OWN } from './addresses.ts'
import { openApi } from './openapi/document.ts'
import { readablePage, STYLE } from './openapi/page.ts'

let document: Promise<string> | undefined
let page: Promise<string> | undefined

/** `GET /openapi.json` and `GET /api-docs`, created on the first request, because that takes a fifth of a start. */
export function mountOpenApi(app: FastifyInstance): void {
  app.get(OWN.document, async (_request, reply) => {
    document ??= openApi().then((whole) => JSON.stringify(whole))
    return reply.type('application/json').send(await document)
  })
  app.get(OWN.guide, async (_request, reply) => {
    page ??= readablePage()
    return reply.type('text/html; charset=utf-8').send(await page)
  })
  app.get(OWN.guideStyle, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
}
