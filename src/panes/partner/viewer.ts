import { rules } from 'virtual:partner-calls'
import { useEffect, useState } from 'react'
import { asking } from '../../../contract/actor.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import { maybeSignedIn } from '../../data/signedIn.ts'

/** What the viewer may do by the access table; a partner with a link may do neither. */
export interface Viewer {
  /** Sees the page as a preview, through a session rather than a link. */
  previews: boolean
  /** May answer on the partner's behalf. */
  enters: boolean
}

const BY_LINK: Viewer = { previews: false, enters: false }
const refused = asking((id) => (rules as Readonly<Record<string, (typeof rules)[keyof typeof rules]>>)[id])

let known: Promise<Viewer> | undefined
const ask = async (): Promise<Viewer> => {
  try {
    const { body } = await callAsPartner('session.validate', {}, { token: null })
    const may = (id: keyof typeof rules) => refused(id, body.data) === null
    return { previews: may('invitation.preview'), enters: may('proffer.enter') }
  } catch {
    return BY_LINK
  }
}

/** Returns the viewer; null while it loads, which only happens in a browser that has signed in. */
export function useViewer(): Viewer | null {
  const [viewer, setViewer] = useState<Viewer | null>(maybeSignedIn() ? null : BY_LINK)
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
