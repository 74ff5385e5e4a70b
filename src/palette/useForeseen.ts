import { useEffect, useState } from 'react'
import type { Command, Confirmation } from '../commands/command.ts'
import { open } from '../commands/commandQuestions.ts'
import { api } from '../data/apiClient.ts'
import type { Asking } from '../runner/runnerState.ts'

/** How long (ms) typing in a dialog must rest before the server is asked. */
export const REST_MS = 200
type Foreseen = { of: string; effect: Partial<Confirmation> | null }
/** What is known of the effect; `coming` while the request runs. */
export interface Foreseeing {
  effect: Partial<Confirmation> | null
  loading: boolean
}

/** Returns the server's effect of a command; `coming` while requested, null if the command doesn't ask for it. */
export function useForeseen(command: Command, asking: Pick<Asking, 'subjects' | 'answers'> | null, rest = 0): Foreseeing {
  const { subjects, answers } = asking ?? { subjects: [], answers: {} }
  const asks = asking !== null && Boolean(command.foresees) && open(command, answers, subjects).length === 0
  const of = asks ? JSON.stringify([subjects.map(({ kind, id }) => [kind, id]), answers]) : ''
  const [read, setRead] = useState<Foreseen>({ of: '', effect: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` says what is asked
  useEffect(() => {
    if (!of) return
    const gone = new AbortController()
    const { signal } = gone
    const show = (effect: Partial<Confirmation> | null) => {
      if (!signal.aborted) setRead({ of, effect: effect })
    }
    const timer = setTimeout(() => {
      command.foresees!({ api, subjects, answers: answers as never, signal }).then(show, (error: Error) =>
        show({ body: error.message, bad: true }),
      )
    }, rest)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [of, rest])
  // A dialog keeps the last text while the next one loads, so that it doesn't jump.
  return { effect: of ? read.effect : null, loading: of !== '' && read.of !== of }
}
