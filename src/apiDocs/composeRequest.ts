import type { Parameter } from '../data/apiDocument.ts'
import type { ApiRequest } from '../data/apiRequest.ts'
import type { DescribedCall } from './describedCalls.ts'

/** What somebody has filled in for a call. */
export interface RequestValues {
  /** Parameters as typed, by their place and name (`keyOf`). */
  parameters: Readonly<Record<string, string>>
  /** The JSON as typed. */
  body: string
  /** Chosen files by field. */
  files: Readonly<Record<string, readonly File[]>>
}

export const NO_VALUES: RequestValues = { parameters: {}, body: '', files: {} }

export const keyOf = ({ in: where, name }: Pick<Parameter, 'in' | 'name'>): string => `${where}.${name}`

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'multipart/form-data'
export const STREAM_TYPE = 'text/event-stream'

/** True if a call sends its body as a form. */
export const sendsForm = (call: DescribedCall): boolean => FORM_TYPE in call.bodies
/** True if a call's body is JSON. */
export const sendsJson = (call: DescribedCall): boolean => !sendsForm(call) && JSON_TYPE in call.bodies

/** True for a parameter that takes several values. */
export const takesList = ({ schema }: Parameter): boolean =>
  [schema ?? {}, ...(schema?.anyOf ?? [])].some(({ type }) => [type ?? []].flat().includes('array'))

/** The address with its parameters; those without a value are left out, and in the path shown by name. */
export function addressOf(call: DescribedCall, values: RequestValues): string {
  const typedIn = (parameter: Parameter) => values.parameters[keyOf(parameter)]?.trim() ?? ''
  let path = call.path
  const query = new URLSearchParams()
  for (const parameter of call.parameters) {
    const value = typedIn(parameter)
    if (!value) continue
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value))
    if (parameter.in !== 'query') continue
    if (!takesList(parameter)) query.append(parameter.name, value)
    else for (const one of value.split(',')) query.append(`${parameter.name}[]`, one.trim())
  }
  const text = query.toString().replaceAll('%5B%5D=', '[]=')
  return text ? `${path}?${text}` : path
}

const headersFrom = (call: DescribedCall, values: RequestValues): [string, string][] =>
  call.parameters.flatMap((parameter) => {
    const value = parameter.in === 'header' ? (values.parameters[keyOf(parameter)]?.trim() ?? '') : ''
    return value ? [[parameter.name, value] as [string, string]] : []
  })

/** What is missing or can't be read, by the field's key. */
export function mistakesIn(call: DescribedCall, values: RequestValues): Record<string, string> {
  const mistakes: Record<string, string> = {}
  for (const parameter of call.parameters)
    if ((parameter.in === 'path' || parameter.required) && !values.parameters[keyOf(parameter)]?.trim())
      mistakes[keyOf(parameter)] = `Enter ${parameter.name}`
  if (values.body.trim() && Object.keys(call.bodies).length)
    try {
      const read: unknown = JSON.parse(values.body)
      if (read === null || typeof read !== 'object' || Array.isArray(read)) mistakes.body = 'The body must be a JSON object'
    } catch (error) {
      mistakes.body = `The body isn’t valid JSON: ${(error as Error).message}`
    }
  return mistakes
}

/** The request to send; `dry` asks what would happen. Call only without mistakes. */
export function requestOf(call: DescribedCall, values: RequestValues, token: string, dry: boolean): ApiRequest {
  const filled = dry ? { ...values, parameters: { ...values.parameters, 'query.dry': '1' } } : values
  const headers: Record<string, string> = {
    accept: JSON_TYPE,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...Object.fromEntries(headersFrom(call, values)),
  }
  const path = addressOf(call, filled)
  if (sendsForm(call)) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fieldsIn(values.body))) form.append(name, formText(value))
    for (const [name, files] of Object.entries(values.files)) for (const file of files) form.append(name, file)
    return { method: call.method, path, headers, body: form }
  }
  const body = sendsJson(call) ? values.body.trim() || '{}' : null
  return { method: call.method, path, headers: body ? { ...headers, 'content-type': JSON_TYPE } : headers, body }
}

function fieldsIn(text: string): Record<string, unknown> {
  return text.trim() ? (JSON.parse(text) as Record<string, unknown>) : {}
}
const formText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The headers by which a shell's caller is known; the values are its variables. */
function callerHeaders(call: DescribedCall): string[] {
  if (call.open) return []
  if (call.scopes) return ['Authorization: Bearer $FIELDWORK_TOKEN']
  return ['access-token: $ACCESS_TOKEN', 'client: $CLIENT', 'uid: $EMAIL']
}

/** The request as a command for curl. The token is a variable, so that it gets into no history and no chat. */
export function curlOf(call: DescribedCall, values: RequestValues, origin: string): string {
  const lines = [`curl ${quoted(`${origin}${addressOf(call, values)}`)}`]
  const form = sendsForm(call)
  if (call.method !== (form || (sendsJson(call) && values.body.trim()) ? 'POST' : 'GET')) lines.push(`-X ${call.method}`)
  // Double quotes, so that the shell fills in its variables.
  for (const header of callerHeaders(call)) lines.push(`-H "${header}"`)
  for (const [name, value] of headersFrom(call, values)) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (form) {
    let fields: Record<string, unknown> = {}
    try {
      fields = fieldsIn(values.body)
    } catch {
      // The form says what is wrong with it; the command has the fields that can be read.
    }
    for (const [name, value] of Object.entries(fields)) lines.push(`-F ${quoted(`${name}=${formText(value)}`)}`)
    for (const name of fileFields(call)) {
      const chosen = values.files[name] ?? []
      for (const file of chosen.length ? chosen.map((one) => one.name) : ['photo.jpg'])
        lines.push(`-F ${quoted(`${name}=@${file}`)}`)
    }
  } else if (sendsJson(call) && values.body.trim()) {
    lines.push(`-H 'content-type: ${JSON_TYPE}'`)
    lines.push(`-d ${quoted(values.body.trim())}`)
  }
  const [, ok] = call.responses.find(([status]) => status === '200') ?? []
  if (ok?.content && STREAM_TYPE in ok.content) lines.push('-N')
  return lines.join(' \\\n  ')
}

/** The fields of a form that contain files. */
export function fileFields(call: DescribedCall): string[] {
  const properties = call.bodies[FORM_TYPE]?.schema?.properties ?? {}
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.format === 'binary' || schema.items?.format === 'binary' ? [name] : [],
  )
}
