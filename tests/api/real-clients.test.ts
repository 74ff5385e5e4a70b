import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { axios, generateAuthActions, initMiddleware, reduxTokenAuthReducer, type Store } from '../clients/devise.ts'
import { createClient } from '../clients/openapi-fetch.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Clients that others wrote, unmodified, as an app of an integrator uses them. j-toker runs in a browser: e2e/j-toker.

const PASSWORD = 'Own-app-2026!'
let app: Fieldwork
let portal: string
let email: string
let project: number
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  portal = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  const user = await app.make.user({ role: 'client', password_hash: await hashPassword(PASSWORD), clients: [app.client.id] })
  email = user.email
  project = (await app.make.project({ client_id: app.client.id })).id
})

/** The browser's storage, where both clients of the tokens keep them. */
function storage() {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, String(value)),
    removeItem: (name: string) => void values.delete(name),
    names: () => [...values.keys()].toSorted(),
  }
}
const NAMES = ['access-token', 'client', 'expiry', 'token-type', 'uid']
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { response: { status: number } }) => error.response.status,
  )

test('redux-token-auth signs in, keeps the session over a reload, and signs out', async () => {
  const local = storage()
  vi.stubGlobal('localStorage', local)
  /** A store with the middleware that calls actions which are functions. */
  const opened = (): Store => {
    const store: Store = {
      state: reduxTokenAuthReducer(undefined, { type: 'opened' }),
      async dispatch(action) {
        if (typeof action === 'function') await action((next) => store.dispatch(next))
        else store.state = reduxTokenAuthReducer(store.state, action)
      },
    }
    return store
  }
  const actions = generateAuthActions({
    authUrl: `${portal}/v3/portal/auth`,
    userAttributes: { name: 'name', mail: 'email' },
    userRegistrationAttributes: {},
  })
  const first = opened()
  expect(await statusOf(first.dispatch(actions.signInUser({ email, password: 'wrong' })))).toBe(401)
  expect([first.state.currentUser.isSignedIn, local.names()]).toEqual([false, []])

  await first.dispatch(actions.signInUser({ email, password: PASSWORD }))
  expect(first.state.currentUser).toMatchObject({ isSignedIn: true, attributes: { mail: email } })
  expect(local.names()).toEqual(NAMES)
  expect((await axios.get(`${portal}/v3/portal/projects`)).data.data).toMatchObject([{ id: project }])

  const reloaded = opened()
  actions.verifyCredentials(reloaded)
  await expect.poll(() => reloaded.state.currentUser.isSignedIn).toBe(true)
  expect(local.names()).toEqual(NAMES)
  // The client stores whatever the response has: a missing header would be "undefined", and the next reload signed out.
  expect(NAMES.map((name) => local.getItem(name))).not.toContain('undefined')

  await reloaded.dispatch(actions.signOutUser())
  expect([reloaded.state.currentUser.isSignedIn, local.names()]).toEqual([false, []])
  expect(await statusOf(axios.get(`${portal}/v3/portal/projects`))).toBe(401)
  vi.unstubAllGlobals()
})

test('devise-axios sends the tokens with every request, and forgets them on sign-out', async () => {
  const local = storage()
  await initMiddleware({ authPrefix: '/v3/portal/auth', storage: local })
  const { data } = await axios.post(`${portal}/v3/portal/auth/sign_in`, { email, password: PASSWORD })
  expect([data.data.email, local.names()]).toEqual([email, NAMES])
  expect((await axios.get(`${portal}/v3/portal/projects`)).data.data).toMatchObject([{ id: project }])

  // After a reload it sends what it has stored with the first validation.
  for (const name of NAMES) delete axios.defaults.headers.common[name]
  expect(await statusOf(axios.get(`${portal}/v3/portal/projects`))).toBe(401)
  expect(await statusOf(axios.get(`${portal}/v3/portal/auth/validate_token`))).toBe(200)
  expect(await statusOf(axios.get(`${portal}/v3/portal/projects`))).toBe(200)

  expect(await statusOf(axios.delete(`${portal}/v3/portal/auth/sign_out`))).toBe(200)
  expect(local.names()).toEqual([])
})

test('openapi-fetch reads and writes by the paths of /openapi.json', async () => {
  const made = { name: 'Typed', scopes: ['client:read', 'client:write'] }
  const { token } = (await app.as('admin').call('token.create', made)).body.data
  interface paths {
    '/v3/portal/clients': {
      get: {
        parameters: { query?: { search?: string; per_page?: number } }
        responses: { 200: { content: { 'application/json': { data: { id: number; name: string }[]; count: number } } } }
      }
      post: {
        requestBody: { content: { 'application/json': { name: string } } }
        responses: {
          200: { content: { 'application/json': { data: { id: number } } } }
          422: { content: { 'application/json': { code: string; fields: Record<string, string> } } }
        }
      }
    }
  }
  const client = createClient<paths>({ baseUrl: portal, headers: { authorization: `Bearer ${token}` } })
  const created = await client.POST('/v3/portal/clients', { body: { name: 'Typed & Sons' } })
  expect(created.data).toMatchObject({ data: { id: expect.any(Number) } })
  const found = await client.GET('/v3/portal/clients', { params: { query: { search: 'Typed & Sons', per_page: 5 } } })
  expect(found.data).toMatchObject({ count: 1, data: [{ name: 'Typed & Sons' }] })
  const refused = await client.POST('/v3/portal/clients', { body: { name: '' } })
  expect([refused.response.status, refused.error?.code, Object.keys(refused.error?.fields ?? {})]).toEqual([
    422,
    'invalid',
    ['name'],
  ])
})
