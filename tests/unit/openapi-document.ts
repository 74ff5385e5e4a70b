import { openApi } from '../../server/http/openapi/document.ts'

let text: Promise<string> | undefined

/** Returns a copy of /openapi.json, which is composed once for all files of a worker. */
export async function openApiDocument<Document>(): Promise<Document> {
  text ??= openApi().then((document) => JSON.stringify(document))
  return JSON.parse(await text) as Document
}
