import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { CALLS } from '../client/calls.ts'
import type { Call } from '../contract/call.ts'
import { type CallId, calls } from '../contract/calls.ts'
import { COMMON_NAMES } from '../contract/commonNames.ts'
import { programName } from '../contract/filterNames.ts'
import { OLDER_CALLS } from '../contract/olderCalls.ts'
import { helpIfAsked } from './help.ts'

/** The part of JSON Schema that the contract uses. */
interface JsonSchema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  items?: JsonSchema
  prefixItems?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
}

const root = resolve(import.meta.dirname, '..')

/** Imports of a file's JavaScript, static and lazy; those of types are gone by then. */
const IMPORTS = /\b(?:from |import |import\()'([\w@./#-]+)'/g

/** The files that entries reach, with their JavaScript by path below the root. */
export function reachedFrom(entries: readonly string[]): Map<string, string> {
  const files = new Map<string, string>()
  const visit = (file: string) => {
    if (files.has(file) || !file.endsWith('.ts')) return
    const text = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    files.set(file, text)
    for (const [, path] of text.matchAll(IMPORTS)) if (path!.startsWith('.')) visit(resolve(dirname(file), path!))
  }
  for (const entry of entries) visit(join(root, entry))
  return new Map([...files].map(([file, text]) => [relative(root, file), text]))
}

/** Packages that the files import. */
export const packagesOf = (files: ReadonlyMap<string, string>): Set<string> =>
  new Set(
    [...files.values()].flatMap((text) =>
      [...text.matchAll(IMPORTS)].flatMap(([, path]) =>
        /^(\.|node:)/.test(path!)
          ? []
          : path!
              .split('/')
              .slice(0, path!.startsWith('@') ? 2 : 1)
              .join('/'),
      ),
    ),
  )

/** Commands of the workspace, whose texts a review says; the command line looks for them in their folder. */
const commands = (): string[] =>
  readdirSync(join(root, 'src/commands'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!areas\b)[^/\\]+[/\\][^/\\]+\.ts$/.test(path))
    .map((path) => join('src/commands', path))

/** The files of the command line. */
export const cliFiles = (): Map<string, string> => reachedFrom(['cli/main.ts', ...commands()])

/** Writes files as JavaScript below a folder, in the folders that they have here. */
function write(files: ReadonlyMap<string, string>, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    const to = join(folder, path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(
      to,
      text.replace(IMPORTS, (whole) => whole.replace(/\.ts'$/, ".js'")),
    )
  }
}

function buildCli(): void {
  const dist = join(root, 'cli/dist')
  write(cliFiles(), dist)
  cpSync(join(root, 'cli/package.json'), join(dist, 'cli/package.json'))
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n')
}

/** A JSON Schema as a type of TypeScript. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ') || 'never'
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map(typeOf))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  if (Array.isArray(schema.type)) return [...new Set(schema.type.map((type) => typeOf({ ...schema, type })))].join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
      return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema): string {
  const rest = additionalProperties && typeof additionalProperties === 'object' ? typeOf(additionalProperties) : null
  if (!properties) return `Record<string, ${rest ?? 'unknown'}>`
  const fields = Object.entries(properties).map(([name, field]) => {
    const common = COMMON_NAMES[name] ?? ''
    const about = Object.hasOwn(properties, common) ? `/** @deprecated Use ${common}. */ ` : ''
    return `${about}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`
  })
  return `{ ${fields.join('; ')} }`
}

/** The calls with the types of their input and response, in place of the contract. */
function callTypes(): string {
  const schemaOf = (schema: Call['input'], io: 'input' | 'output') =>
    z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  const inputOf = (call: Call) => {
    const { properties = {}, ...schema } = schemaOf(call.input, 'input')
    // Filters by the one name that programs are told.
    const named = Object.entries(properties).map(([name, field]) => [programName(call, name), field] as const)
    return typeOf({ ...schema, properties: Object.fromEntries(named) })
  }
  const newer = (id: CallId) => (OLDER_CALLS[id] ? ` @deprecated Use ${OLDER_CALLS[id]}.` : '')
  const rows = (Object.entries(calls) as [CallId, Call][]).map(
    ([id, call]) =>
      `  /** ${call.about}${newer(id)} */\n  '${id}': { input: ${inputOf(call)}; output: ${typeOf(schemaOf(call.output, 'output'))} }`,
  )
  const source = readFileSync(join(root, 'client/calls.ts'), 'utf8')
  const row = source.slice(source.indexOf('/** How a call is sent. */'), source.indexOf('const rowOf'))
  return `export interface Calls {\n${rows.join('\n')}\n}\n\n${row}export declare const CALLS: Readonly<Record<string, CallRow>>\n`
}

function buildClient(): void {
  const dist = join(root, 'client/dist')
  write(new Map(['client', 'webhook'].map((name) => [`${name}.ts`, stripTypeScriptTypes(textOf(name))])), dist)
  writeFileSync(join(dist, 'calls.js'), `export const CALLS = ${JSON.stringify(CALLS)}\n`)
  writeFileSync(join(dist, 'calls.d.ts'), callTypes())
  const sources = ['client', 'webhook'].map((name) => join(dist, `${name}.ts`))
  for (const name of ['client', 'webhook'])
    writeFileSync(
      join(dist, `${name}.ts`),
      textOf(name).replace(IMPORTS, (whole) => whole.replace(/\.ts'$/, ".js'")),
    )
  const options =
    '--declaration --emitDeclarationOnly --module nodenext --target es2024 --lib es2024,dom,dom.iterable --skipLibCheck'
  const checked = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--ignoreConfig',
      '--strict',
      ...options.split(' '),
      '--outDir',
      dist,
      ...sources,
    ],
    { cwd: dist, encoding: 'utf8' },
  )
  for (const source of sources) rmSync(source)
  if (checked.status !== 0) throw new Error(`The client's types could not be built: ${checked.stdout}${checked.stderr}`)
}
const textOf = (name: string): string => readFileSync(join(root, `client/${name}.ts`), 'utf8')

if (process.argv[1] === import.meta.filename) {
  helpIfAsked('node scripts/build-packages.ts [cli|client]: builds what npm pack sends: the command line, the client, or both.')
  const [which] = process.argv.slice(2)
  if (which !== 'client') buildCli()
  if (which !== 'cli') buildClient()
}
