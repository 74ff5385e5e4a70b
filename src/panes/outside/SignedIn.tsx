import { useEffect, useRef, useState } from 'react'
import { type Me, signOut } from '../../data/session.ts'
import { HOME } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { OutsidePage } from './OutsidePage.tsx'

/** Shown for an email link opened while signed in: it may belong to another account, so signing out comes first. */
export function SignedIn({ me, to }: { me: Me; to: string }) {
  const [serverError, setServerError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector('button')?.focus(), [])
  const leave = async () => {
    setBusy(true)
    // The address stays, so the page continues with the link after sign-out.
    await signOut().catch((error: Error) => setServerError(error.message))
    setBusy(false)
  }
  return (
    <OutsidePage
      title="You’re signed in"
      lead={
        <>
          This browser is signed in as <bdi>{me.name}</bdi> ({me.email}). To {to} with the link from your email, sign out first.
        </>
      }
    >
      {serverError && (
        <p role="alert" className="mb-4 text-red-ink">
          {serverError}
        </p>
      )}
      <div ref={first} className="flex flex-col gap-2">
        <Button variant="primary" busy={busy} onClick={() => void leave()} className="h-8">
          Sign out and continue
        </Button>
        <PaneLink
          to={HOME}
          className="inline-flex h-8 items-center justify-center rounded-md border border-edge text-meta hover:bg-hover"
        >
          Stay signed in
        </PaneLink>
      </div>
    </OutsidePage>
  )
}
