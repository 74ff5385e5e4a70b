import { COMMON_NAMES, withoutSpellings } from '../../contract/commonNames.ts'
import { nounOf, wordOf } from '../../contract/nounOf.ts'
import type { NounId } from '../../contract/nouns.ts'
import { WEBHOOK_VERBS, webhookTypes } from '../../contract/webhookNouns.ts'
import { openApi } from '../../server/http/openapi/document.ts'
import { exampleOf } from '../../src/apiDocs/describedCalls.ts'
import type { ApiDocument, Schema } from '../../src/data/apiDocument.ts'

/** Fields of a record that its example shows. */
const SHOWN = 5

/** A message of a type as the document describes it, with its status and the first plain fields of its record. */
function exampleFor(document: ApiDocument, noun: NounId, schema: Schema): Record<string, unknown> {
  const { data, previous, ...message } = exampleOf(document, schema) as { data: Record<string, unknown>; previous: unknown }
  const status = nounOf(noun)?.webhooks?.status ?? ''
  const plain = Object.entries(data).filter(([, value]) => value === null || typeof value !== 'object')
  const fields = plain.filter(([name], at) => at < SHOWN || name === status || name === COMMON_NAMES[status])
  return { ...message, data: withoutSpellings(Object.fromEntries(fields)), previous }
}

/** The page of docs/ with every type of message and an example of each, made of the table of nouns. */
export async function webhookTypesPage(): Promise<string> {
  const document = (await openApi()) as ApiDocument
  const nouns = [...Map.groupBy(webhookTypes, ({ noun }) => noun)]
  const verbs = Object.entries(WEBHOOK_VERBS).map(([verb, says]) => `- \`…${verb}\`: The record ${says}.`)
  const sections = nouns.map(([noun, types]) => {
    const word = wordOf(noun, true)
    const examples = types.map(({ type }) => {
      const { description, requestBody } = document.webhooks[type]!.post!
      const example = JSON.stringify(exampleFor(document, noun, requestBody!.content['application/json']!.schema!), null, 2)
      return `**\`${type}\`**: ${description}\n\n\`\`\`json\n${example}\n\`\`\``
    })
    return [`## ${word[0]!.toUpperCase()}${word.slice(1)}`, ...examples].join('\n\n')
  })
  return `${[
    '# Types of messages',
    'Every type of message that a [webhook](hear-of-changes.md) gets, with an example. One change is one message, of the most telling type. The examples show the first fields of a record; `/openapi.json` has all of them under `webhooks`.',
    verbs.join('\n'),
    '`webhook.test` is sent by “Send a test” alone, with the webhook’s name as `data`.',
    ...sections,
  ].join('\n\n')}\n`
}
