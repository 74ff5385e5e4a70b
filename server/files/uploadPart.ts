import type { Part } from '../core/ports.ts'

/**
 * Which part of a content a request asks for by `Range`: null for the whole (no Range, several, nonsense, or an If-Range of another content),
 * 'none' where there is no such part (416).
 */
export function partAsked(headers: { range?: string; 'if-range'?: string }, size: number, etag: string): Part | 'none' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || (!first && !last)) return null
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return null
  if (first && last && Number(first) > Number(last)) return null
  const from = first ? Number(first) : Math.max(0, size - Number(last))
  const to = first && last ? Math.min(Number(last), size - 1) : size - 1
  return from >= size ? 'none' : { from, to }
}
