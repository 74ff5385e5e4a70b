import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import type { Answer } from './support.ts'

export interface Operation {
  operationId: string
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }>; headers?: object }>
}
/** /openapi.json, as far as answers are compared with it. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: {
    responses: Record<string, Operation['responses'][string]>
    schemas: Record<string, { properties: object }>
    securitySchemes: object
  }
}

/** The operations of a document by their calls. */
export const operationsOf = (document: ApiDocument): Map<CallId, Operation> =>
  new Map(
    Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => [operation.operationId as CallId, operation] as const),
    ),
  )

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Compares answers with the document, formats included, as a third party would: no undocumented field may pass. */
export function comparedWith(document: ApiDocument): (id: CallId, answer: Answer) => string[] {
  const operations = operationsOf(document)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv as never)
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  /** Compiles a schema once, by its path in the document. */
  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer)
    if (known) return known
    const validate = ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
  /** The differences between a response and its documentation; empty if there are none. */
  function untrue(id: CallId, answer: Answer): string[] {
    const row = calls[id] as Call
    const operation = operations.get(id)!
    const documented = operation.responses[String(answer.status)]
    if (!documented) return [`${id}: ${answer.status} is not among its answers: ${answer.text.slice(0, 200)}`]
    const at = documented.$ref
      ? documented.$ref.slice(1)
      : `/paths/${escaped(row.path)}/${row.method.toLowerCase()}/responses/${answer.status}`
    const response = documented.$ref ? document.components.responses[documented.$ref.split('/').at(-1)!]! : documented
    const type = String(answer.headers['content-type'] ?? '').split(';')[0]!
    if (response.content?.['*/*']) return []
    if (!response.content?.[type]) return [`${id}: ${answer.status} is ${type}, not ${Object.keys(response.content ?? {})}`]
    if (type !== 'application/json') return []
    const validate = validatorAt(`${at}/content/${escaped(type)}/schema`)
    if (validate(JSON.parse(answer.text))) return []
    return [
      ...new Set(
        validate.errors!.map(
          ({ instancePath, message, params }) =>
            `${id} ${answer.status}: ${instancePath.replace(/\/\d+/g, '/*')} ${message} ${Object.values(params)}`,
        ),
      ),
    ]
  }
  return untrue
}
