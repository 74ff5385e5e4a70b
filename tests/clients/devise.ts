// The clients of devise_token_auth that run without a browser, for tests/api/real-clients.test.ts.
// Their packages have no types, or source that ours doesn't compile.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface Axios {
  defaults: { headers: { common: Record<string, unknown> } }
  get(url: string): Promise<{ data: { data: { id: number }[] } }>
  post(url: string, body: object): Promise<{ data: { data: { email: string } } }>
  delete(url: string): Promise<unknown>
}
/** The axios that the clients use themselves. */
export const axios = createRequire(require.resolve('devise-axios'))('axios') as Axios

interface State {
  currentUser: { isSignedIn: boolean; attributes: Record<string, unknown> }
}
type Action = { type: string } | ((dispatch: (action: Action) => unknown) => Promise<unknown>)
/** What redux-token-auth expects of a store whose middleware calls actions which are functions. */
export interface Store {
  state: State
  dispatch(action: Action): Promise<void>
}
interface ReduxTokenAuth {
  reduxTokenAuthReducer(state: State | undefined, action: { type: string }): State
  generateAuthActions(config: object): {
    signInUser(person: { email: string; password: string }): Action
    signOutUser(): Action
    verifyCredentials(store: Store): void
  }
}

export const { generateAuthActions, reduxTokenAuthReducer } = require('redux-token-auth') as ReduxTokenAuth
export const { initMiddleware } = require('devise-axios') as { initMiddleware(options: object): Promise<void> }
