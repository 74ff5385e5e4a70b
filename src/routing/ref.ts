import { readQuery } from './match.ts'
import { encodeQuery } from './routes.ts'

/** Changes to a pane's query; null, undefined and '' remove a key. */
export type QueryPatch = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Changes a ref's query: existing keys keep their order, new ones go last. */
export function withQuery(ref: string, patch: QueryPatch): string {
  const [path = '', search = ''] = ref.split('?', 2)
  const query = new Map<string, string>(Object.entries(readQuery(search)))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined || value === '' || value === false) query.delete(key)
    else query.set(key, value === true ? '1' : String(value))
  }
  const text = [...query].map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`).join('&')
  return text ? `${path}?${text}` : path
}
