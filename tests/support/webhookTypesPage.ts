import { COMMON_NAMES, withoutSpellings } from '../../contract/commonNames.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { NounId } from '../../contract/nouns.ts'
import { WEBHOOK_VERBS, webhookTypes } from '../../contract/webhookNouns.ts'
import { openApi } from '../../server/http/openapi/document.ts'
import { exampleOf } from '../../src/apiDocs/describedCalls.ts'
import type { ApiDocument, Schema } from '../../src/data/apiDocument.ts'

/** Fields of a record that its example shows. */
const SHOWN = 5

/** What differs in a message of a type, with the status and the first plain fields of its record. */
function exampleFor(document: ApiDocument, noun: NounId, schema: Schema): Record<string, unknown> {
  const { type, action, data, previous } = exampleOf(document, schema) as Record<string, object>
  const status = nounOf(noun)?.webhooks?.status ?? ''
  const plain = Object.entries(data!).filter(([, value]) => value === null || typeof value !== 'object')
  const fields = plain.filter(([name], at) => at < SHOWN || name === status || name === COMMON_NAMES[status])
  return { type, action, data: withoutSpellings(Object.fromEntries(fields)), previous }
}

/** The page of docs/ with every type of message and an example of each, made of the table of nouns. */
export async function webhookTypesPage(): Promise<string> {
  const document = (await openApi()) as ApiDocument
  const nouns = [...Map.groupBy(webhookTypes, ({ noun }) => noun)]
  const verbs = Object.entries(WEBHOOK_VERBS).map(([verb, says]) => `- \`…${verb}\`: The record ${says}.`)
  const sections = nouns.map(([noun, types]) => {
    const word = wordOf(noun, true)
    const messages = types.map(({ type }) => {
      const { requestBody } = document.webhooks[type]!.post!
      return exampleFor(document, noun, requestBody!.content['application/json']!.schema!)
    })
    const first = JSON.stringify(messages[0]!.data)
    const examples = messages.map(({ data, previous, ...message }, at) => {
      const isSame = at > 0 && JSON.stringify(data) === first
      const changed = Object.keys(previous!).length ? { previous } : {}
      return JSON.stringify({ ...message, ...(isSame ? {} : { data }), ...changed }, null, 1)
        .replace(/\n */g, ' ')
        .replace(/(?<={) | (?=})/g, '')
    })
    return [`## ${word[0]!.toUpperCase()}${word.slice(1)}`, `\`\`\`json\n${examples.join('\n')}\n\`\`\``].join('\n\n')
  })
  return `${[
    '# Types of messages',
    'Every type of message that a [webhook](hear-of-changes.md) gets, with an example. One change is one message, of the most telling type.',
    verbs.join('\n'),
    '`webhook.test` is sent by “Send a test” alone, with the webhook’s name as `data`.',
    'An example has what differs by type, and the first fields of the record; without `data` it has the record of the first line, without `previous` nothing. [The rest of a message](hear-of-changes.md#a-message) is alike in all, and `/openapi.json` has all fields under `webhooks`.',
    ...sections,
  ].join('\n\n')}\n`
}
