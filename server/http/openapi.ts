import type { FastifyInstance } from 'fastify'
import { OWN } from './addresses.ts'
import { openApi } from './openapi/document.ts'
import { type PreparedText, prepareText, sendPrepared } from './response.ts'

let document: Promise<PreparedText> | undefined

/** `GET /openapi.json`, created on the first request, because that takes a fifth of a start. */
export function mountOpenApi(app: FastifyInstance): void {
  app.get(OWN.document, async (request, reply) => {
    document ??= openApi().then((whole) => prepareText(JSON.stringify(whole), 'application/json; charset=utf-8'))
    return sendPrepared(request, reply, await document)
  })
}
