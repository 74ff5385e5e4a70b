import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Ctx } from '../core/context.ts'
import { gzipAround } from './gzipAround.ts'
import { collect, keptText } from './keptIndex.ts'
import { type Entry, findable, PAGE, sourceOf } from './sources.ts'

/** Above every id. */
const NEWEST = 2 ** 31 - 1

const GZIP = { name: 'gzip', open: () => createGzip({ level: 3 }) } as const
/** Compressions of the index, the cheapest first: a window of 256 kB lets the first rows leave early. */
const SQUEEZED = [
  {
    name: 'br',
    open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } }),
  },
  GZIP,
] as const

/**
 * Streams everything the caller can find as one JSON document with one entry on each line.
 * What administrators share is kept; anything else is read in pages and never held in memory whole.
 * A failed read breaks the connection.
 */
export async function sendIndex(ctx: Ctx, cursor: number): Promise<void> {
  const { reply, request, services } = ctx
  const known = await keptText(ctx)
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const accepts = ({ name }: { name: string }) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accepted)
  // Only gzip can be composed of parts compressed before.
  const packed = known && accepts(GZIP) ? gzipAround(Buffer.from(headOf(cursor)), known, await endOf(ctx, known.text)) : null
  const encoding = packed ? GZIP : SQUEEZED.find(accepts)
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    ...(encoding ? { 'content-encoding': encoding.name } : {}),
  }
  reply.hijack()
  try {
    reply.raw.writeHead(200, headers as Record<string, string | number>)
    if (packed) {
      reply.raw.end(packed)
      return
    }
    const text = Readable.from(known ? [headOf(cursor), known.text, await endOf(ctx, known.text)] : indexText(ctx, cursor))
    if (encoding) await pipeline(text, encoding.open(), reply.raw)
    else await pipeline(text, reply.raw)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      services.log.warn({ err: error }, "sending the palette's index was interrupted")
    reply.raw.destroy()
  }
}

const headOf = (cursor: number) => `{"cursor":${cursor},"full":true,"drop":[],"put":[\n`
const linesOf = (rows: readonly Entry[]) => rows.map((row) => JSON.stringify(row)).join(',\n')

/** The end of a document of kept entries, with those of the caller's own. */
async function endOf(ctx: Ctx, known: Buffer): Promise<Buffer> {
  const own: Entry[] = []
  for (const noun of findable(ctx).filter((noun) => sourceOf(noun).own))
    for (let before = NEWEST, more = true; more; ) {
      const rows = await sourceOf(noun).rows(ctx, { before })
      own.push(...rows)
      before = rows.at(-1)?.[1] ?? 0
      more = rows.length === PAGE
    }
  const rest = `${known.length && own.length ? ',\n' : ''}${linesOf(own)}`
  return Buffer.from(`${rest}${known.length || own.length ? '\n' : ''}]}\n`)
}

async function* indexText(ctx: Ctx, cursor: number): AsyncGenerator<string> {
  yield headOf(cursor)
  const collected = await collect(ctx, cursor)
  let first = true
  // A page of each noun in turn, so that every kind appears soon.
  let left = findable(ctx).map((noun) => ({ source: sourceOf(noun), before: NEWEST }))
  while (left.length) {
    const more: typeof left = []
    for (const { source, before } of left) {
      const rows = await source.rows(ctx, { before })
      if (!source.own) collected?.add(rows)
      if (rows.length > 0) yield `${first ? '' : ',\n'}${linesOf(rows)}`
      first &&= rows.length === 0
      if (rows.length === PAGE) more.push({ source, before: rows.at(-1)![1] })
    }
    left = more
  }
  collected?.done()
  yield `${first ? '' : '\n'}]}\n`
}
