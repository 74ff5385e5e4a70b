import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import { configAtom } from '../data/session.ts'
import type { Match } from '../routing/match.ts'
import { href } from '../routing/routes.ts'
import { ErrorBoundary } from '../workspace/ErrorBoundary.tsx'
import { PaneLink } from '../workspace/PaneLink.tsx'
import { OUTSIDE, PaneProvider } from '../workspace/pane.tsx'
import { paneOf } from '../workspace/paneOf.tsx'

/** A screen outside the workspace, which fills the page. */
export function PublicShell({ match }: { match: Match }) {
  const { row, params, tab } = match
  const { product } = useAtomValue(configAtom)
  const Pane = paneOf(match.id)
  useEffect(() => {
    document.title = stripBidi(`${row.title} – ${product}`)
    document.body.classList.add(row.header.style)
    scrollTo(0, 0)
    return () => document.body.classList.remove(row.header.style)
  }, [row, product])
  return (
    <PaneProvider value={OUTSIDE}>
      <ErrorBoundary key={match.path}>{Pane ? <Pane params={params} tab={tab} /> : <Soon match={match} />}</ErrorBoundary>
    </PaneProvider>
  )
}

function Soon({ match: { row } }: { match: Match }) {
  return (
    <main className="mx-auto max-w-md space-y-3 px-4 pt-[20vh]">
      <h1 className="text-head">{row.title}</h1>
      <p>This page isn’t available yet.</p>
      <p className="text-muted">Please reply to the person who sent you here.</p>
      <PaneLink to={href('login')} className="text-accent-ink underline underline-offset-2">
        Go to sign in
      </PaneLink>
    </main>
  )
}
