// What an integrator writes with openapi-typescript and openapi-fetch; prints what it read as JSON.
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript.ts'

const { PORTAL = '', TOKEN = '', SURVEY = '' } = process.env
const client = createClient<paths>({ baseUrl: PORTAL, headers: { authorization: `Bearer ${TOKEN}` } })

const created = await client.POST('/v3/portal/clients', { body: { name: 'Fetch & Sons' } })
const found = await client.GET('/v3/portal/clients', {
  params: { query: { search: 'Fetch & Sons', per_page: 5, column: 'name', order: 'desc' } },
})
const names: string[] | undefined = found.data?.data.map((one: components['schemas']['Client']) => one.name)

const refused = await client.POST('/v3/portal/clients', { body: { name: '' } })
const fields: Record<string, unknown> | undefined = refused.error?.fields

const respondents: components['schemas']['Respondent'][] = [
  { respondent_id: 'typed-1', outcome: 'completes', age: 3, gender: 'female' },
  { respondent_id: 'typed-2', outcome: 'terminates' },
]
const batch = await client.POST('/v3/portal/surveys/runtime/{surveyId}/responses', {
  params: { path: { surveyId: Number(SURVEY) }, query: { strict: true } },
  body: respondents,
})

const file = new File(['a,b\n1,2\n'], 'typed.csv', { type: 'text/csv' })
const uploaded = await client.POST('/v3/portal/files', {
  body: { file: [file], description: 'From a typed client' },
  bodySerializer({ file: files, ...others }) {
    const form = new FormData()
    for (const [name, value] of Object.entries(others)) form.append(name, String(value))
    for (const one of files) form.append('file', one)
    return form
  },
})

// These lines wouldn't compile if the types let anything pass.
const MISTAKES = [
  // @ts-expect-error a column that no list of clients has
  () => client.GET('/v3/portal/clients', { params: { query: { column: 'colour' } } }),
  // @ts-expect-error a name is required
  () => client.POST('/v3/portal/clients', { body: {} }),
  // @ts-expect-error an outcome that doesn't exist
  (): components['schemas']['Respondent'] => ({ respondent_id: 'x', outcome: 'complete' }),
  // @ts-expect-error an address that doesn't exist
  () => client.GET('/v3/portal/customers'),
]

console.log(
  JSON.stringify({
    created: created.data?.data.id,
    names,
    refused: [refused.response.status, refused.error?.code, Object.keys(fields ?? {})],
    batch: batch.data?.data,
    uploaded: uploaded.data?.data.map((one) => one.name),
    mistakes: MISTAKES.length,
  }),
)
