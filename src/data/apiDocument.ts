import { ApiError } from './api.ts'

/** A JSON Schema of /openapi.json, as far as the page of the API shows it. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  example?: unknown
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  'x-enum-descriptions'?: readonly string[]
  'x-codes'?: readonly DescribedErrorCode[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  prefixItems?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** A code of an error, and what a program does about it. */
interface DescribedErrorCode {
  code: string
  statuses: readonly number[]
  about: string
  remedy: string
  repeat_words: string
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

type Reference = { $ref: string }
export type Content = Readonly<Record<string, { schema?: Schema }>>
export interface Response {
  description: string
  content?: Content
}

/** One call, or one webhook message. */
export interface ApiOperation {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters: readonly (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Readonly<Record<string, Response | Reference>>
  'x-token-scopes'?: readonly string[]
  'x-changes-data'?: boolean
}

/** The document that describes every call (server/http/openapi). */
export interface ApiDocument {
  info: { title: string; description: string }
  tags: readonly { name: string; description: string }[]
  /** The call of each name in allowed_actions that isn't one. */
  'x-actions': Readonly<Record<string, { call: string }>>
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  webhooks: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    parameters: Readonly<Record<string, Parameter>>
    responses: Readonly<Record<string, Response>>
    headers: Readonly<Record<string, { description: string }>>
    securitySchemes: Readonly<Record<string, { description: string }>>
  }
}

/** Reads /openapi.json; throws ApiError, with status 0 without a connection. */
export async function readApiDocument(signal?: AbortSignal): Promise<ApiDocument> {
  let response: globalThis.Response
  try {
    response = await fetch('/openapi.json', { signal, credentials: 'omit' })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'unreachable', 'Can’t reach the server. Check your connection and try again.')
  }
  if (!response.ok)
    throw new ApiError(response.status, `http_${response.status}`, 'The server couldn’t describe its calls. Please try again.')
  return (await response.json()) as ApiDocument
}
