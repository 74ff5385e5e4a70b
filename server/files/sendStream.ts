import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Ctx } from '../core/context.ts'
import type { Part } from '../core/ports.ts'

interface StreamedFile {
  name: string
  mime: string
  /** The number of bytes, if known. */
  size?: number
  /** Displayed in the page instead of saved; only for content that can't run scripts. */
  inline?: boolean
  /** The range of a content of `size` bytes, and its ETag, so that an interrupted download can resume. */
  part?: Part | null
  etag?: string
}

/** Types a browser may display: pictures without scripts. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif'])

/** Passes pieces on and frees their memory at once, because V8 would wait for 64 MB of it. */
async function* spent(pieces: AsyncIterable<string | Uint8Array>, out: Writable): AsyncGenerator<string | Uint8Array> {
  let passed: Uint8Array[] = []
  for await (const piece of pieces) {
    yield piece
    if (typeof piece !== 'string') passed.push(piece)
    if (out.writableLength) continue
    // A piece of a shared buffer is left to the garbage collector.
    for (const { buffer, byteLength } of passed)
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
    passed = []
  }
}

/**
 * Sends a stream; a failure half way breaks the connection, so that nobody takes a part for the whole.
 * The stream's pieces are freed once sent, so nothing else may use them.
 */
export async function sendStream(
  ctx: Pick<Ctx, 'reply' | 'services'>,
  { name, mime, size, inline, part, etag }: StreamedFile,
  content: Readable | AsyncIterable<string>,
): Promise<void> {
  const { reply } = ctx
  const disposition = inline && SHOWN.has(mime) ? 'inline' : 'attachment'
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w .()-]+/g, '_')
    .slice(0, 150)
  const headers = {
    ...reply.getHeaders(),
    'content-type': mime,
    ...(size === undefined ? {} : { 'content-length': part ? part.to - part.from + 1 : size }),
    ...(part ? { 'content-range': `bytes ${part.from}-${part.to}/${size}` } : {}),
    ...(etag ? { etag, 'accept-ranges': 'bytes' } : {}),
    'content-disposition': `${disposition}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  reply.hijack()
  try {
    reply.raw.writeHead(part ? 206 : 200, headers as Record<string, string | number>)
    await pipeline(
      content instanceof Readable ? content : Readable.from(content),
      (pieces) => spent(pieces, reply.raw),
      reply.raw,
    )
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      ctx.services.log.warn({ err: error, file: name }, 'a download was interrupted')
    reply.raw.destroy()
  }
}
