import { useEffect } from 'react'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { RecordError } from '../shared/RecordError.tsx'
import { InviteForm } from './InviteForm.tsx'

/** Invites a user to one client. Saves too, which people-area 2 left unfinished. */
export default function InvitePane({ params }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('client.get', { id }, { fresh: true })
  const { setTitle } = usePane()
  const name = answer.data?.data.name
  useEffect(() => setTitle(name === undefined ? null : `New user: ${name}`), [name, setTitle])
  if (answer.error && !answer.data)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Client ${id}`}
        home={href('clients')}
        homeTitle="all clients"
      />
    )
  if (!answer.data) return null
  return (
    <>
      <header className="px-4 pt-3">
        <h1 className="truncate text-head">
          New user for <bdi>{answer.data.data.name}</bdi>
        </h1>
      </header>
      <InviteForm client={answer.data.data} />
    </>
  )
}
