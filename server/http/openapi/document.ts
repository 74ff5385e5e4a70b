import { setImmediate } from 'node:timers/promises'
import { ruleOf } from '../../../contract/access.ts'
import { ACTION_CALLS } from '../../../contract/actionCalls.ts'
import type { Call } from '../../../contract/call.ts'
import { CALL_GROUPS } from '../../../contract/callGroups.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { takesDry } from '../../../contract/dry.ts'
import { programName } from '../../../contract/filterNames.ts'
import { DRY_HEADER, FORESEEN_HEADER, IGNORED_HEADER, REVIEWED_HEADER } from '../../../contract/headers.ts'
import { wordOf } from '../../../contract/nounOf.ts'
import { PARTNER_HEADER } from '../../../contract/pages.ts'
import { rightsOfFields } from '../../../contract/rights.ts'
import { refusedToTokens, scopesOf } from '../../../contract/tokenScope.ts'
import { handlers } from '../../calls/handlers.ts'
import { COOKIE } from '../../core/authenticate.ts'
import { namesOf } from '../../core/input.ts'
import { versionedOf } from '../ifMatch.ts'
import { worded } from './describeFields.ts'
import { ERROR_SCHEMAS, errorsOf, HEADERS, LIMITED, RESPONSES } from './errorResponses.ts'
import { Components, type Schema, schemaOf } from './jsonSchema.ts'
import { webhooksOf } from './webhooks.ts'

/** A call's audience in words. */
const FOR = {
  public: 'anybody',
  partner: 'a partner by signed link, or an administrator',
  client: 'a client user within their scope, or an administrator',
  admin: 'an administrator',
} as const

/** A header as documentation spells it. */
const titled = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** TABLE  parameters that calls share. */
const PARAMETERS = {
  /** The header that makes a write happen once (server/core/idempotency.ts). */
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique key for this write, 8 to 200 characters. Repeated within 24 hours, the write returns the first response and isn’t run again.',
    schema: { type: 'string', minLength: 8, maxLength: 200 },
    example: 'order-2026-11-25-0017',
  },
  /** The headers that bind a write to what was reviewed (server/http/reviewed.ts). */
  Reviewed: {
    name: titled(REVIEWED_HEADER),
    in: 'header',
    required: false,
    description:
      'Records with the lock_version that was read, at most 20. If one has changed, nothing is done, and the response is a 409 with the code changed.',
    schema: { type: 'string' },
    example: 'project/4812=7,client/31=2',
  },
  Foreseen: {
    name: titled(FORESEEN_HEADER),
    in: 'header',
    required: false,
    description:
      'With ?, a dry run answers the records that it would change, at most 300, in a header of the same name. Sent back with the write, it is refused with the code changed if it finds one of them at another version.',
    schema: { type: 'string' },
    example: 'activity/17=3,project/4812=7',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The lock_version of the record that was read: if it has another by now, nothing is done, and the response is a 412 with the code changed. Calls without this parameter refuse it.',
    schema: { type: 'string' },
    example: '"7"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of a response you have: if it hasn’t changed, you get a 304 without a body.',
    schema: { type: 'string' },
    example: 'W/"Zx4mVq1sQ0u3yJ8tq0Gm2w"',
  },
  /** The parameter for a dry run (server/http/dryRun.ts). */
  Dry: {
    name: 'dry',
    in: 'query',
    required: false,
    description: `With 1, a dry run: the response or the error is what the write would return, and nothing is changed, sent or stored. It can be sent in the body instead. The header ${titled(DRY_HEADER)} confirms it, of errors too, and so does dry in the response.`,
    schema: { type: 'integer', enum: [0, 1], default: 0 },
    example: 1,
  },
} as const
const parameter = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` })

/** TABLE  how callers authenticate; each call's `security` uses these names. */
const SECURITY = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'access-token',
    description: 'From the sign-in’s response; sent with client and uid, valid for two weeks.',
  },
  client: { type: 'apiKey', in: 'header', name: 'client', description: 'From the sign-in’s response; identifies the session.' },
  uid: { type: 'apiKey', in: 'header', name: 'uid', description: 'The user’s email.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIE,
    description:
      'The workspace’s session, only for pages of this server; over https it is named __Host-fieldwork. A write by cookie must come from a page of this server.',
  },
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key from Account Settings: Authorization: Bearer fwk_…' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from Settings: Authorization: Bearer fwt_…; each call lists the scopes, of which a token needs one.',
  },
  partnerLink: { type: 'apiKey', in: 'query', name: 'token', description: 'The token of the link that a partner got by email.' },
  partnerHeader: { type: 'apiKey', in: 'header', name: PARTNER_HEADER, description: 'The same token as a header.' },
} as const

/** Every write's response lists unknown names (decisions.md 13, "Writes"). */
const IGNORED = {
  type: 'array',
  items: { type: 'string' },
  description: 'Unknown names in a session’s or a key’s request; left out when there are none. A token’s are a 422.',
  example: ['nmae'],
}

const BINARY = { type: 'string', format: 'binary' }
const writes = (row: Call) => row.method !== 'GET' || row.unsafe === true

/** True for writes that honor an idempotency key. */
export function takesKey(id: CallId, row: Call): boolean {
  const keyed = handlers[id].ownTransaction
  return writes(row) && ruleOf(id).who !== 'public' && row.as !== 'stream' && typeof keyed !== 'object'
}

/** Schemes that authenticate a call, any one of which suffices. */
function securityOf(id: CallId, row: Call): Record<string, never[]>[] {
  const { who, key } = ruleOf(id)
  if (who === 'public') return []
  return [
    { token: [], client: [], uid: [] },
    ...(row.unsafe ? [] : [{ cookie: [] }]),
    ...(key ? [{ apiKey: [] }] : []),
    ...(refusedToTokens(id, row) === null ? [{ bearer: [] }] : []),
    ...(who === 'partner' ? [{ partnerLink: [] }, { partnerHeader: [] }] : []),
  ]
}

/** The response of a dry run says that it was one. */
const DRY = { type: 'boolean', const: true, description: 'True for a dry run, which did nothing; left out otherwise.' }

/** True for writes with a dry run, also one of their own. */
const hasDry = (id: CallId, row: Call) => takesDry(id, row) || (writes(row) && namesOf(row.input).includes('dry'))

function contentOf(id: CallId, row: Call, schema: Schema): Schema {
  const more = { ignored: IGNORED, ...(hasDry(id, row) ? { dry: DRY } : {}) }
  const shown =
    !writes(row) || !schema.properties ? schema : { ...schema, properties: { ...(schema.properties as object), ...more } }
  return {
    ...(row.as === 'stream' ? {} : { 'application/json': { schema: shown } }),
    ...Object.fromEntries(
      (row.media ?? []).map((type) => [type, { schema: type.startsWith('text/') ? { type: 'string' } : BINARY }]),
    ),
  }
}

/** Every group of calls with its description: from its own row, or from its noun's words. */
const groups = (): Record<string, string> => ({
  ...CALL_GROUPS,
  ...Object.fromEntries(
    Object.keys(calls)
      .map((id) => id.split('.')[0]!)
      .filter((noun) => !Object.hasOwn(CALL_GROUPS, noun))
      .map((noun) => [noun, `The ${wordOf(noun, true)}.`]),
  ),
})

type ListSchema = { type?: string; items?: unknown; description?: string }

/** The schema of a batch, for calls with `lines`: a list that may also be the body itself. */
const batchOf = (properties: Record<string, ListSchema>): ListSchema => properties.rows ?? {}

/** Names of the properties that hold a batch of such rows. */
const batchNames = (properties: Record<string, ListSchema>): string[] => {
  const items = JSON.stringify(batchOf(properties).items)
  return Object.keys(properties).filter((name) => JSON.stringify(properties[name]!.items) === items)
}

function bodyOf(row: Call, properties: Record<string, ListSchema>, required: string[]): Schema {
  const schema = { type: 'object', properties, ...(required.length ? { required } : {}) }
  const { description: _, ...batch } = batchOf(properties)
  if (row.as !== 'multipart' && !Object.keys(properties).length) return {}
  const { files } = row
  const parts = files?.several ? { type: 'array', items: BINARY } : BINARY
  const form = files && {
    'multipart/form-data': {
      schema: {
        ...schema,
        properties: { ...properties, [files.name]: { ...parts, description: 'The file’s content and name.' } },
        ...(files.optional ? {} : { required: [...required, files.name] }),
      },
    },
  }
  return {
    requestBody: {
      required: required.length > 0 || (files !== undefined && !files.optional),
      content: {
        ...form,
        ...(!form || files?.optional ? { 'application/json': { schema: row.lines ? { anyOf: [batch, schema] } : schema } } : {}),
        // One row on each line.
        ...(row.lines ? { 'application/x-ndjson': { schema: batch.items ?? {} } } : {}),
      },
    },
  }
}

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })

/** The headers of a call's successful response. */
function headersOf(id: CallId, row: Call): Schema {
  const fields = (row.input as unknown as { shape?: object }).shape ?? {}
  const limited = (writes(row) && ruleOf(id).who !== 'public') || row.limit !== undefined || refusedToTokens(id, row) === null
  return {
    'X-Request-Id': header('RequestId'),
    ...(row.method === 'GET' ? { [titled(IGNORED_HEADER)]: header('Ignored') } : {}),
    ...(writes(row) || row.as === 'stream' ? {} : { ETag: header('ETag') }),
    ...(!writes(row) && 'page' in fields && 'per_page' in fields ? { Link: header('Link') } : {}),
    ...(hasDry(id, row) ? { [titled(DRY_HEADER)]: header('Dry') } : {}),
    ...(limited ? LIMITED : {}),
  }
}

/** The scopes that each give a token access to a call, and what its fields need besides. */
function tokenWords(id: CallId, row: Call): string {
  if (refusedToTokens(id, row) !== null || ruleOf(id).token) return ''
  const fields = Map.groupBy(Object.entries(rightsOfFields(id)), ([, right]) => right)
  const more = [...fields].map(
    ([right, names]) => ` To change ${names.map(([name]) => name).join(' or ')} it needs ${right}, too.`,
  )
  return ` A token opens it with ${scopesOf(id, row).join(', ')}.${more.join('')}`
}

/** What a call does with names that it doesn't know, where it does more than list them. */
const credentialWords = ({ credential, aliases = {} }: Call): string =>
  credential
    ? ` Unknown names${credential.extras ? ' that are nearly a limit’s' : ''} are refused.${Object.entries(aliases)
        .map(([alias, name]) => ` ${alias} is ${name}.`)
        .join('')}`
    : ''

function operationOf(components: Components, id: CallId, row: Call): Schema {
  const { who, key } = ruleOf(id)
  const input = components.whole(schemaOf(row.input, 'input'), id, '<') as {
    properties?: Record<string, ListSchema>
    required?: string[]
  }
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const others = Object.fromEntries(Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name)))
  const required = (input.required ?? []).filter((name) => !inPath.includes(name))
  const reads = row.method === 'GET'
  // Where the body is the batch itself, the fields beside it are in the query.
  const beside = () => Object.entries(others).filter(([name]) => !batchNames(others).includes(name))
  const inQuery = reads ? Object.entries(others) : row.lines ? beside() : []
  const described = (schema: object) => {
    const { description, example, ...rest } = schema as { description?: string; example?: unknown }
    return { ...(description ? { description } : {}), schema: rest, ...(example === undefined ? {} : { example }) }
  }
  return {
    operationId: id,
    summary: row.about.split(/(?<=\.)\s/)[0]!.replace(/\.$/, ''),
    description: `${row.about} For ${FOR[who]}${key ? ', or an API key (Authorization: Bearer fwk_…)' : ''}.${row.unsafe ? ' Changes data, so it takes token headers only.' : ''}${tokenWords(id, row)}${credentialWords(row)}`,
    tags: [id.split('.')[0]],
    security: securityOf(id, row),
    ...(refusedToTokens(id, row) === null ? { 'x-token-scopes': ruleOf(id).token ? [] : scopesOf(id, row) } : {}),
    ...(Object.keys(rightsOfFields(id)).length ? { 'x-token-scopes-of-fields': rightsOfFields(id) } : {}),
    ...(writes(row) ? { 'x-changes-data': true } : {}),
    parameters: [
      ...inPath.map((name) => ({
        name,
        in: 'path',
        required: true,
        ...described(input.properties?.[name] ?? { type: 'string' }),
      })),
      ...inQuery.map(([name, schema]) => ({
        name: programName(row, name),
        in: 'query',
        required: required.includes(name),
        ...described(worded(programName(row, name), schema, false)),
      })),
      ...(!writes(row) && row.as !== 'stream' ? [parameter('IfNoneMatch')] : []),
      ...(writes(row) && versionedOf(id) ? [parameter('IfMatch')] : []),
      ...(takesKey(id, row) ? [parameter('IdempotencyKey')] : []),
      ...(takesDry(id, row) ? [parameter('Dry'), parameter('Foreseen')] : []),
      ...(writes(row) && ruleOf(id).who !== 'public' ? [parameter('Reviewed')] : []),
    ],
    ...(reads ? {} : bodyOf(row, others, required)),
    responses: {
      200: {
        description: 'Done',
        headers: headersOf(id, row),
        content: contentOf(id, row, row.as === 'stream' ? {} : components.whole(schemaOf(row.output, 'output'), id, '>')),
      },
      ...(row.method === 'GET' && !row.unsafe && row.as !== 'stream'
        ? { 304: { description: 'The response hasn’t changed since the one in If-None-Match.' } }
        : {}),
      ...(row.accepted
        ? {
            202: {
              description: 'It isn’t ready yet: ask again after Retry-After.',
              headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
              content: { 'application/json': { schema: components.whole(schemaOf(row.accepted, 'output'), id, '>') } },
            },
          }
        : {}),
      ...(row.media?.includes('*/*')
        ? { 206: { description: 'The range requested by Range.', content: { '*/*': { schema: BINARY } } } }
        : {}),
      ...errorsOf(id, row),
      default: {
        description: 'Any other error.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** Calls documented in one turn, which takes a few milliseconds. */
const A_TIME = 8

/** The calls table as OpenAPI 3.1, with other requests in between; everything is derived from the table. */
export async function openApi(): Promise<object> {
  const components = new Components((call, io) => {
    const row = calls[call as CallId] as Call | undefined
    return row && schemaOf(io === '<' ? row.input : row.output, io === '<' ? 'input' : 'output')
  }, worded)
  const paths: Record<string, Schema> = {}
  for (const [at, [id, row]] of (Object.entries(calls) as [CallId, Call][]).entries()) {
    if (at % A_TIME === 0) await setImmediate()
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operationOf(components, id, row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldwork',
      version: '1',
      description:
        'Every call of the marketplace, in two spellings: /v3/portal is the newer, /v1 the older one. Projects are of two generations: each spelling lists its own, and /v3/portal both with generation=any. A trailing slash, .json, and whether an id is in path, query or body make no difference; name[]=a is a list, and the fields of a wrapped body (user: {…}) may be sent without the wrapper, too. Booleans are also taken as 1, 0, yes and no, and days as MM/DD/YYYY. Invalid HTTP gets 400, a request that arrives too slowly 408, an address or headers that are too long 414 and 431.',
      contact: { name: 'The administrators of this installation' },
      license: { name: 'Not published' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: Object.entries(groups()).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(components),
    // What `allowed_actions` names besides calls.
    'x-actions': ACTION_CALLS,
    components: {
      securitySchemes: SECURITY,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: RESPONSES,
      schemas: { ...ERROR_SCHEMAS, ...components.schemas },
    },
  }
}
