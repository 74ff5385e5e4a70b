import { useEffect, useState } from 'react'
import { seesAll } from '../../../contract/who.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import { maybeSignedIn } from '../../data/signedIn.ts'

/** Who looks at the page: a partner by their link, or an administrator, who sees it as a preview. */
export type Viewer = 'partner' | 'admin'

let known: Promise<Viewer> | undefined
const ask = async (): Promise<Viewer> => {
  try {
    const { body } = await callAsPartner('session.validate', {}, { token: null })
    return seesAll(body.data) ? 'admin' : 'partner'
  } catch {
    return 'partner'
  }
}

/** Returns who looks; null while the server is asked, which is only in a browser that somebody signed in with. */
export function useViewer(): Viewer | null {
  const [viewer, setViewer] = useState<Viewer | null>(maybeSignedIn() ? null : 'partner')
  useEffect(() => {
    if (viewer) return
    let left = false
    known ??= ask()
    void known.then((found) => left || setViewer(found))
    return () => {
      left = true
    }
  }, [viewer])
  return viewer
}
