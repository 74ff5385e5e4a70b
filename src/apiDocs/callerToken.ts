import { createContext, use, useEffect, useState } from 'react'
import { sendApiRequest } from '../data/apiRequest.ts'

/** A token as the server knows it (`token.current`). */
export interface TokenOwner {
  name: string
  scopes: readonly string[]
  email: string
}

/** The token for trying calls. It is only in this page's memory, so a reload forgets it. */
export interface CallerToken {
  value: string
  owner: TokenOwner | null
  /** Why the server doesn't accept it; null while that isn't known. */
  error: string | null
  change: (value: string) => void
}

export const CallerTokenContext = createContext<CallerToken>({ value: '', owner: null, error: null, change: () => {} })

/** The token that somebody entered on the page. */
export const useCallerToken = (): CallerToken => use(CallerTokenContext)

/** How long nothing is typed before a token is checked, in ms. */
const PAUSE = 300

type Check = Pick<CallerToken, 'owner' | 'error'>
const UNCHECKED: Check = { owner: null, error: null }

async function check(path: string, token: string, signal: AbortSignal): Promise<Check> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const response = await sendApiRequest({ method: 'GET', path, headers, body: null }, signal)
  const read = JSON.parse(await response.body.text()) as {
    data?: { name: string; scopes: string[]; user: { email: string } }
    message?: string
  }
  if (!read.data) return { owner: null, error: read.message ?? 'The server doesn’t accept this token.' }
  const { name, scopes, user } = read.data
  return { owner: { name, scopes, email: user.email }, error: null }
}

/** Holds a token and has the server check it after each change; `path` is the address of `token.current`. */
export function useCheckedToken(path: string): CallerToken {
  const [value, change] = useState('')
  const [result, setResult] = useState(UNCHECKED)
  useEffect(() => {
    setResult(UNCHECKED)
    if (!value) return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      check(path, value, stop.signal).then(
        (found) => !stop.signal.aborted && setResult(found),
        () => !stop.signal.aborted && setResult({ owner: null, error: 'Can’t reach the server.' }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, value])
  return { value, change, ...result }
}

/** True if a token with these scopes opens a call that lists the ones it accepts; none means any. */
export const opensCall = (owner: TokenOwner, accepted: readonly string[]): boolean =>
  accepted.length === 0 || owner.scopes.some((scope) => accepted.includes(scope))
