import { beforeAll, expect } from 'vitest'
import type { CallId } from '../../contract/calls.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { openApiDocument } from '../unit/openapi-document.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { testAll } from './wrong.ts'

// A call does with a blank value what its sentence in /openapi.json promises.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})

interface Operation {
  readonly operationId: CallId
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly description?: string }>>
}
const { paths } = await openApiDocument<{ paths: Record<string, Record<string, Operation>> }>()
/** The properties of a write's body. */
const bodies = new Map(
  Object.values(paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, requestBody }) => [operationId, Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {}]),
)

/** TABLE  fields whose blank value is what the example's record has, and may be sent back. */
const SENT_BACK: readonly string[] = ['service.edit category_id']

testAll('a blank value does what its sentence promises', WRITES, async (id) => {
  const wrong: Record<string, string> = {}
  for (const [name, { description = '', type }] of Object.entries(bodies.get(id) ?? {})) {
    const sentence = /Can’t be blank\.|Blank is null\.|Blank is as if it weren’t sent\./.exec(description)?.[0]
    if (!sentence) continue
    const example = await (WRITE_EXAMPLES[id] as Maker)(app)
    const { status, body, text } = await sendExample(id, {
      ...example,
      input: { ...example.input, [name]: type === 'array' ? [] : '' },
    })
    const refused = status === 422 && (body as { fields?: Record<string, string> }).fields?.[name] !== undefined
    if (!SENT_BACK.includes(`${id} ${name}`) && refused !== (sentence === 'Can’t be blank.'))
      wrong[name] = `${sentence} ${status} ${text.slice(0, 200)}`
  }
  expect(wrong).toEqual({})
})
