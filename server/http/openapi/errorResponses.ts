import { ruleOf } from '../../../contract/access.ts'
import type { Call } from '../../../contract/call.ts'
import type { CallId } from '../../../contract/calls.ts'
import { ERROR_CODES, type ErrorCodeRow, FIELD_CODES, REPEATS } from '../../../contract/errorCodes.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { refusedToTokens } from '../../../contract/tokenScope.ts'
import { versionedOf } from '../ifMatch.ts'

type Schema = Record<string, unknown>

const text = { type: 'string' }
const anything = { type: 'object', additionalProperties: true }

const enumerated = (description: string, codes: Readonly<Record<string, string>>): Schema => ({
  ...text,
  description,
  enum: Object.keys(codes),
  'x-enum-descriptions': Object.values(codes),
})

const errorCodes = Object.entries<ErrorCodeRow>(ERROR_CODES)

/** The shape of every error (server/http/app.ts), and of a stale write's. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  ErrorCode: {
    ...enumerated(
      'What is wrong, as a code for programs; /api-docs#codes lists them.',
      Object.fromEntries(errorCodes.map(([code, { about }]) => [code, about])),
    ),
    'x-codes': errorCodes.map(([code, { repeat, ...row }]) => ({ code, ...row, repeat, repeat_words: REPEATS[repeat] })),
  },
  FieldCode: enumerated('What is wrong with one field.', FIELD_CODES),
  Error: {
    type: 'object',
    description: 'The shape of every error. Some codes add further properties.',
    required: ['message', 'errors', 'code', 'request_id', 'response', 'fields', 'field_codes'],
    properties: {
      message: { ...text, description: 'What is wrong, as a sentence for people.' },
      errors: { type: 'array', items: text, description: 'The sentences of all fields, or the message.' },
      code: {
        $ref: '#/components/schemas/ErrorCode',
        description: 'What is wrong, as a code for programs; /api-docs#codes lists them.',
      },
      request_id: { ...text, description: 'Identifies the request in the server’s log; also the header X-Request-Id.' },
      response: { ...text, description: 'The message again, for older programs.' },
      fields: { type: 'object', additionalProperties: text, description: 'A sentence for each wrong field, by its name.' },
      field_codes: {
        type: 'object',
        additionalProperties: { $ref: '#/components/schemas/FieldCode' },
        description: 'What is wrong with each of them, as a code.',
      },
      retry_after: { type: 'integer', description: 'Seconds to wait, as in the header Retry-After.' },
    },
    additionalProperties: true,
    example: {
      message: MESSAGES.projectName,
      errors: [MESSAGES.projectName],
      code: 'invalid',
      request_id: '7d0b3a52-6f5e-4a53-9a55-0c2b1a7f3f11',
      response: MESSAGES.projectName,
      fields: { name: MESSAGES.projectName },
      field_codes: { name: 'required' },
    },
  },
  Conflict: {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    description: 'A conflict with the record’s state; with the code stale or changed, it has both versions.',
    properties: {
      theirs: { ...anything, description: 'The current record with its lock_version, as its read returns it.' },
      mine: { ...anything, description: 'The same fields as sent.' },
      clashes: { type: 'array', items: text, description: 'Fields changed on both sides.' },
      changed: {
        type: 'array',
        items: anything,
        description: 'The records that have changed since the review, each with noun, id, reviewed and lock_version.',
      },
      allowed: { type: 'array', items: text, description: 'The statuses that are allowed now, as status spells them.' },
      stored_transitions: { type: 'array', items: text, description: 'The same, as stored_status spells them.' },
    },
  },
}

const json = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } })
const RETRY = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
/** The headers of a limit, as every response of a limited caller has them. */
export const LIMITED = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateReset' },
}
const error = (description: string, more: object = {}, schema = 'Error') => ({ description, content: json(schema), ...more })

/** TABLE  headers that responses share. */
export const HEADERS = {
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    description: 'A weak ETag of the response: sent back as If-None-Match, it gets a 304 if nothing has changed.',
    schema: text,
  },
  Link: {
    description:
      'The addresses of the first, previous, next and last page (RFC 8288). `next` has a cursor, so that following it gives every record once while others come and go.',
    schema: text,
  },
  Ignored: {
    description: 'Unknown query names in a session’s or a key’s read; left out when there are none. A token’s are a 422.',
    schema: text,
  },
  RateLimit: {
    description:
      'How many are allowed at once: calls of a token or of one address, or changes of a person; the limit with the fewest left. Absent where nothing limits the caller.',
    schema: { type: 'integer' },
  },
  RateRemaining: { description: 'How many are left now; they come back steadily.', schema: { type: 'integer' } },
  RateReset: { description: 'Seconds until all of them are back.', schema: { type: 'integer' } },
  Dry: { description: '1 for the answer of a dry run, which did nothing.', schema: text },
  Allow: { description: 'The methods that the address accepts.', schema: text },
  RequestId: { description: 'Identifies the request in the server’s log.', schema: text },
} as const

/** TABLE  responses that calls share, by their name in the document. */
export const RESPONSES = {
  BadRequest: error('The body is not valid JSON, a form is incomplete, or the address can’t be read.'),
  Unauthorized: error('Nobody is signed in, or the token or key is unknown, revoked or expired.', {
    headers: { 'WWW-Authenticate': { description: 'The authentication scheme.', schema: text } },
  }),
  Forbidden: error('Signed in, but without the right to do this, or from another site.'),
  NotFound: error('The record doesn’t exist, or the caller can’t see it.'),
  Method: error('The address doesn’t accept this method; OPTIONS asks which ones it accepts.', {
    headers: { Allow: { $ref: '#/components/headers/Allow' } },
  }),
  Conflict: error(
    'The record’s state doesn’t allow it now; with the code stale or changed, someone else changed it meanwhile.',
    {},
    'Conflict',
  ),
  Precondition: error('The record has another version than If-Match says, which comes with the code changed.', {}, 'Conflict'),
  Gone: error('It was possible before, and is not any more.'),
  TooLarge: error('The body is larger than this call accepts.'),
  MediaType: error('The body has another media type, or is compressed.'),
  NoSuchPart: error('The requested range is outside the file.'),
  Invalid: error('A field is wrong: fields has a sentence for each.'),
  TooMany: error('Too many attempts or changes: wait, and try again.', { headers: { ...RETRY, ...LIMITED } }),
  Internal: error('Something went wrong on our side; request_id identifies it in the log.'),
  Unavailable: error('The database or the file store can’t be reached right now: try again.', { headers: RETRY }),
  Full: error('The server’s disk is full: nothing was changed.', { headers: RETRY }),
} as const
type ResponseName = keyof typeof RESPONSES

/** Calls that refuse some callers by more than their access rule, with the statuses they use. */
const REFUSES: Partial<Record<CallId, readonly number[]>> = {
  'session.signIn': [401, 403],
  'session.setPassword': [401, 403],
  'session.setPasswordSettlers': [401, 403],
  'session.switchBack': [401, 403, 409],
  'session.signOut': [403],
  'session.register': [404, 409],
  'session.invitation': [404],
  'notice.mailKinds': [404],
  'file.download': [404],
  'token.current': [404],
  'report.download': [404, 409],
  'fieldSession.own': [404],
  'fieldSession.outcome': [401, 404, 409, 410],
  'fieldSession.seen': [401, 404, 409],
}

const writes = (row: Call) => row.method !== 'GET' || row.unsafe === true
const fieldsOf = (row: Call): string[] => Object.keys((row.input as unknown as { shape?: object }).shape ?? {})
/** True for a field that identifies a record. */
const names = (field: string) =>
  /(^|_)ids?$|Id$|^(client|parent|project|[bcs]id|service|partner|like|question|by|signed|noun)$/.test(field)

/** TABLE  the calls' error statuses, and which calls have each. */
const STATUSES: readonly (readonly [status: number, name: ResponseName, has: (id: CallId, row: Call) => boolean])[] = [
  [400, 'BadRequest', () => true],
  [401, 'Unauthorized', (id) => ruleOf(id).who !== 'public'],
  [403, 'Forbidden', (id) => ruleOf(id).who !== 'public'],
  [
    404,
    'NotFound',
    (id, row) => ruleOf(id).who !== 'public' && (row.path.includes('{') || row.method !== 'GET' || fieldsOf(row).some(names)),
  ],
  [405, 'Method', () => true],
  [409, 'Conflict', (id, row) => ruleOf(id).who !== 'public' && writes(row)],
  [410, 'Gone', () => false],
  [412, 'Precondition', (id, row) => writes(row) && versionedOf(id) !== null],
  [413, 'TooLarge', (_, row) => row.method !== 'GET' && !row.bodiless],
  [415, 'MediaType', (_, row) => row.method !== 'GET' && !row.bodiless],
  [416, 'NoSuchPart', (_, row) => row.media?.includes('*/*') === true],
  [422, 'Invalid', (_, row) => fieldsOf(row).length > 0 || writes(row)],
  [429, 'TooMany', (id, row) => row.limit !== undefined || writes(row) || refusedToTokens(id, row) === null],
  [500, 'Internal', () => true],
  [503, 'Unavailable', () => true],
  [507, 'Full', (_, row) => writes(row)],
]

/** A call's error responses by status. */
export const errorsOf = (id: CallId, row: Call): Record<string, Schema> => ({
  ...Object.fromEntries(
    STATUSES.filter(([status, , has]) => has(id, row) || REFUSES[id]?.includes(status)).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  ),
})
