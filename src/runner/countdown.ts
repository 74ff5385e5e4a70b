import { createElement } from 'react'
import { named } from '../commands/words.ts'
import { store } from '../data/store.ts'
import { Countdown, say, unsay } from './say.tsx'
import { type Invocation, nextKey, worksAtom } from './state.ts'
import { drop, post } from './undo.ts'

let waiting = 0
const holdPage = (event: BeforeUnloadEvent) => event.preventDefault()
const hold = (by: 1 | -1) => {
  waiting += by
  // Leaving now would lose what was promised to be sent.
  if (waiting === 1 && by === 1) addEventListener('beforeunload', holdPage)
  if (waiting === 0) removeEventListener('beforeunload', holdPage)
}

/** Waits some seconds before something reaches people outside; undo and the toast stop it, "Now" does it at once. */
export function countDown(
  invocation: Invocation,
  seconds: number,
  title: string,
  { what, go, stopped, again }: { what: string | undefined; go(): void; stopped(): void; again(): void },
): void {
  const key = nextKey()
  const toast = `wait-${key}`
  const until = Date.now() + seconds * 1000
  const end = (then?: () => void) => {
    clearTimeout(timer)
    hold(-1)
    drop(posted.key)
    store.set(worksAtom, (all) => all.filter((work) => work.key !== key))
    void unsay(toast)
    if (then !== go) stopped()
    then?.()
  }
  let over = false
  const once = (then?: () => void) => {
    if (over) return
    over = true
    end(then)
  }
  const timer = setTimeout(() => once(go), seconds * 1000)
  hold(1)
  const posted = post({ title, subjects: invocation.subjects, what }, { waiting: { stop: () => once(), again } })
  store.set(worksAtom, (all) => [
    ...all,
    { key, title, until, done: 0, total: 0, note: '', cancel: () => once(() => void say(`“${title}” was cancelled.`)) },
  ])
  void say(`${title}${invocation.subjects.length === 1 ? `: ${named(invocation.subjects[0]!)}` : ''}`, {
    id: toast,
    lasts: Number.POSITIVE_INFINITY,
    detail: createElement(Countdown, { until }),
    action: { label: 'Undo', run: posted.undo },
    second: { label: 'Now', run: () => once(go) },
  })
}
