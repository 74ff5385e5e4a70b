import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { handlers } from '../calls/handlers.ts'
import type { Keyed } from '../core/handler.ts'
import { takesDry } from './dry.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return rest
}

/** Every write's response lists unknown names (decisions.md 13, "Writes"). */
const IGNORED = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names that were sent and that nobody knows; left out when there are none.',
}

const answerOf = (row: Call): Record<string, unknown> => {
  const schema = schemaOf(row.output, 'output')
  if ((row.method === 'GET' && !row.unsafe) || !schema.properties) return schema
  return { ...schema, properties: { ...(schema.properties as object), ignored: IGNORED } }
}

/** A call's audience in words for the API page. */
const FOR = {
  public: 'anybody',
  partner: 'a partner by signed link, or an administrator',
  client: 'a client user within their scope, or an administrator',
  admin: 'an administrator',
} as const

/** The header that makes a write happen once (server/core/idempotency.ts). */
const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this write, 8 to 200 letters: sent again within 24 hours, it is answered and not done again.',
  schema: { type: 'string', minLength: 8, maxLength: 200 },
}

/** The parameter that only tries a write (server/http/dry.ts). */
const DRY = {
  name: 'dry',
  in: 'query',
  required: false,
  description:
    'With 1 it is only tried: the answer, or the refusal, is what the write would come to, and nothing is changed, sent or kept of it. In the body it says the same. The header fieldwork-dry says that it was.',
  schema: { type: 'integer', enum: [0, 1], default: 0 },
}

/** True for writes that honor an idempotency key. */
export function takesKey(id: CallId, row: Call): boolean {
  const keyed = (handlers[id] as { ownTransaction?: Keyed }).ownTransaction
  return (
    (row.method !== 'GET' || row.unsafe === true) &&
    ruleOf(id).who !== 'public' &&
    row.as !== 'stream' &&
    typeof keyed !== 'object'
  )
}

/** Calls that are written out at a time, which takes a few milliseconds. */
const A_TIME = 8

/** The schema of a line, for calls with `lines`. */
const rowOf = (properties: Record<string, unknown>): unknown => (properties.rows as { items?: unknown } | undefined)?.items ?? {}

/** The calls table as OpenAPI 3.1; everything is derived from it. Lets other requests in between. */
async function openApi(): Promise<object> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [at, [id, row]] of (Object.entries(calls) as [CallId, Call][]).entries()) {
    if (at % A_TIME === 0) await setImmediate()
    const { who, key } = ruleOf(id)
    const input = schemaOf(row.input, 'input') as { properties?: Record<string, object>; required?: string[] }
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const others = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
    const body = {
      type: 'object',
      properties: Object.fromEntries(others),
      required: (input.required ?? []).filter((name) => !inPath.includes(name)),
    }
    const reads = row.method === 'GET'
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: {
        operationId: id,
        summary: row.about,
        tags: [id.split('.')[0]],
        description: `For ${FOR[who]}${key ? ', or an API key (Authorization: Bearer fwk_…)' : ''}.${row.unsafe ? ' Changes something: token headers only.' : ''}`,
        security: who === 'public' ? [] : [{ token: [], client: [], uid: [] }, ...(key ? [{ apiKey: [] }] : [])],
        parameters: [
          ...inPath.map((name) => ({ name, in: 'path', required: true, schema: input.properties?.[name] ?? { type: 'string' } })),
          ...(reads
            ? others.map(([name, schema]) => ({ name, in: 'query', required: (input.required ?? []).includes(name), schema }))
            : []),
          ...(takesKey(id, row) ? [KEY] : []),
          ...(takesDry(id, row) ? [DRY] : []),
        ],
        ...(reads || !others.length
          ? {}
          : {
              requestBody: {
                content: {
                  [row.as === 'multipart' ? 'multipart/form-data' : 'application/json']: { schema: body },
                  // One row to a line.
                  ...(row.lines ? { 'application/x-ndjson': { schema: rowOf(body.properties) } } : {}),
                },
              },
            }),
        responses: {
          200: {
            description: 'Done',
            content: row.as === 'stream' ? {} : { 'application/json': { schema: answerOf(row) } },
          },
          default: {
            description: 'An error: message, errors, code, request_id, fields',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
      },
    }
  }
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldwork',
      version: '1',
      description: 'Every call of the marketplace. A trailing slash, .json, and an id in path, query or body are the same call.',
    },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'access-token' },
        client: { type: 'apiKey', in: 'header', name: 'client' },
        uid: { type: 'apiKey', in: 'header', name: 'uid' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of an importer: Authorization: Bearer fwk_…' },
      },
      schemas: {
        Error: {
          type: 'object',
          properties: {
            message: text,
            errors: { type: 'array', items: text },
            code: text,
            request_id: text,
            fields: { type: 'object', additionalProperties: text },
          },
        },
      },
    },
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The same as a page for people, by noun. */
async function readablePage(): Promise<string> {
  const byNoun = Object.groupBy(Object.entries(calls) as [string, Call][], ([id]) => id.split('.')[0]!)
  const fieldsOf = (row: Call) => {
    const schema = schemaOf(row.input, 'input') as {
      properties?: Record<string, { type?: string; enum?: unknown[] }>
      required?: string[]
    }
    return Object.entries(schema.properties ?? {})
      .map(
        ([name, field]) =>
          `<code>${escapeHtml(name)}</code>${schema.required?.includes(name) ? '*' : ''}${field.enum ? ` <small>${escapeHtml(field.enum.join(' | '))}</small>` : field.type ? ` <small>${escapeHtml(String(field.type))}</small>` : ''}`,
      )
      .join(', ')
  }
  const sections: string[] = []
  for (const [noun, rows] of Object.entries(byNoun)) {
    await setImmediate()
    sections.push(
      `<section id="${noun}"><h2>${noun}</h2><dl>${rows!.map(([id, row]) => `<dt id="${id}"><b>${row.method}</b> <code>${escapeHtml(row.path)}</code> <small>${id}</small></dt><dd>${escapeHtml(row.about)} For ${FOR[ruleOf(id as CallId).who]}${ruleOf(id as CallId).key ? ', or an API key (<code>Authorization: Bearer fwk_…</code>)' : ''}.<br>${fieldsOf(row)}</dd>`).join('')}</dl></section>`,
    )
  }
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fieldwork API</title><link rel="stylesheet" href="/api-docs/style.css"><h1>Fieldwork API</h1><p>${Object.keys(calls).length} calls. Sign in with <a href="#session.signIn">session.signIn</a>; send back its headers <code>access-token</code>, <code>token-type</code>, <code>client</code>, <code>expiry</code>, <code>uid</code>. As a file: <a href="/openapi.json">openapi.json</a>. A star marks what is required.</p><nav>${Object.keys(
    byNoun,
  )
    .map((noun) => `<a href="#${noun}">${noun}</a>`)
    .join('')}</nav>${sections.join('')}</html>`
}

/** A file of its own, because the content security policy forbids inline styles. */
const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:960px;margin:32px auto;padding:0 16px;color-scheme:light dark}code{font:13px ui-monospace,monospace}dt{margin-top:16px}dd{margin:4px 0 0 16px}small{opacity:.75}nav a{margin-right:12px}'

let document: Promise<string> | undefined
let page: Promise<string> | undefined

/** `GET /openapi.json` and `GET /api-docs`, written when first asked for, as that takes a fifth of a start. */
export function mountOpenApi(app: FastifyInstance): void {
  app.get('/openapi', async (_request, reply) => {
    document ??= openApi().then((whole) => JSON.stringify(whole))
    return reply.type('application/json').send(await document)
  })
  app.get('/api-docs', async (_request, reply) => {
    page ??= readablePage()
    return reply.type('text/html; charset=utf-8').send(await page)
  })
  app.get('/api-docs/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
}
