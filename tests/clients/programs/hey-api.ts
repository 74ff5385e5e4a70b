// What an integrator writes with hey-api; prints what it read as JSON.
import { client } from './generated/hey-api/client.gen.ts'
import { clientCreate, clientList, fileUpload, runtimeIngest } from './generated/hey-api/sdk.gen.ts'
import type { Client, Respondent } from './generated/hey-api/types.gen.ts'

const { PORTAL = '', TOKEN = '', SURVEY = '' } = process.env
// It offers every way to sign in, one after another: a token answers only to the scheme of tokens.
client.setConfig({ baseUrl: PORTAL, auth: ({ scheme }) => (scheme === 'bearer' ? TOKEN : undefined) })

const created = await clientCreate({ body: { name: 'Hey & Sons' } })
const found = await clientList({ query: { search: 'Hey & Sons', per_page: 5, column: 'name', order: 'desc' } })
const names: string[] | undefined = found.data?.data.map((one: Client) => one.name)

const refused = await clientCreate({ body: { name: '' } })
const fields: Record<string, unknown> | undefined = refused.error?.fields

const respondents: Respondent[] = [
  { respondent_id: 'typed-1', outcome: 'completes', age: 3, gender: 'female' },
  { respondent_id: 'typed-2', outcome: 'terminates' },
]
const batch = await runtimeIngest({ path: { surveyId: Number(SURVEY) }, query: { strict: true }, body: respondents })

const file = new File(['a,b\n1,2\n'], 'typed.csv', { type: 'text/csv' })
const uploaded = await fileUpload({ body: { file: [file], description: 'From a typed client' } })

// These lines wouldn't compile if the types let anything pass.
const MISTAKES = [
  // @ts-expect-error a column that no list of clients has
  () => clientList({ query: { column: 'colour' } }),
  // @ts-expect-error a name is required
  () => clientCreate({ body: {} }),
  // @ts-expect-error an outcome that doesn't exist
  (): Respondent => ({ respondent_id: 'x', outcome: 'complete' }),
  // @ts-expect-error a survey is required
  () => runtimeIngest({ body: respondents }),
]

console.log(
  JSON.stringify({
    created: created.data?.data.id,
    names,
    refused: [refused.response?.status, refused.error?.code, Object.keys(fields ?? {})],
    batch: batch.data?.data,
    uploaded: uploaded.data?.data.map((one) => one.name),
    mistakes: MISTAKES.length,
  }),
)
