import { beforeAll, expect } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { namesOf } from '../../server/core/input.ts'
import { sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { testAll } from './wrong.ts'

// What a write says of a value that isn't blank but wrong: what is wrong with it, by its field's name.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})

/** TABLE  values that few fields take; long texts and big numbers are beyond every limit. */
const WRONG: Record<string, unknown> = {
  letters: 'abcdefghij',
  'a fraction': -1.5,
  'a big number': 1e15,
  yes: true,
  'an object': { x: 1 },
  'a list': ['§', {}],
  'much text': 'x'.repeat(70_000),
}
/** Messages that ask for a value, say nothing of what is accepted, or have no subject. */
const UNHELPFUL =
  /(?:cannot|can't|can’t|cant) be blank|(?:^| )is required$|^Please |accepted values|wrong format|another type|^Use |^Give a /
/** The rules of a whole record, which are about other fields than the one that is wrong. */
const OTHER_FIELDS = new Set(['file_ids', 'targeted_locations', 'survey_url'])

testAll('a wrong value is told what is wrong, and never that it is blank', WRITES, async (id) => {
  const row = calls[id] as Call
  const sentences: Record<string, string> = {}
  for (const name of namesOf(row.input).filter((one) => !row.path.includes(`{${one}}`))) {
    const example = await WRITE_EXAMPLES[id]!(app)
    for (const [what, value] of Object.entries(WRONG)) {
      const { status, body } = await sendExample(id, { ...example, input: { ...example.input, [name]: value } })
      expect(status, `${name} ${what}`).toBeLessThan(500)
      const sentence = status === 422 ? body.fields?.[name] : undefined
      if (sentence && UNHELPFUL.test(sentence) && !(OTHER_FIELDS.has(name) && typeof value === 'object'))
        sentences[`${name} ${what}`] = sentence
    }
  }
  expect(sentences).toEqual({})
})
