import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Fieldwork, Person } from './support.ts'

/** A multipart request with the fields before the files. */
export async function upload(
  who: Person,
  files: [name: string, content: Buffer][],
  fields: Record<string, string | number> = {},
  path = '/v3/portal/files',
  headers: Record<string, string> = {},
): Promise<Answer<'file.upload'>> {
  const { body, type } = await formOf(files, fields)
  return (await who.raw('POST', path, body, { 'content-type': type, ...headers })) as Answer<'file.upload'>
}

/** The same form as bytes, with its media type; `after` puts the fields behind the files. */
export async function formOf(
  files: [name: string, content: Buffer][],
  fields: Record<string, string | number> = {},
  { after = false, file = 'file' } = {},
): Promise<{ body: Buffer; type: string }> {
  const form = new FormData()
  if (!after) for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [name, content] of files) form.append(file, new Blob([new Uint8Array(content)]), name)
  if (after) for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  return { body: Buffer.from(await request.arrayBuffer()), type: request.headers.get('content-type') ?? '' }
}

/** The number of uploads in the file store, including partial ones. */
export function inStore(app: Fieldwork): number {
  try {
    return readdirSync(join(app.services.settings.dataDir, 'files/uploads'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ).length
  } catch {
    return 0
  }
}
