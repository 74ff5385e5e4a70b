import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { api } from '../../data/apiClient.ts'
import { useMay } from '../../data/permissions.ts'
import { meAtom } from '../../data/session.ts'
import type { Request } from './QuoteParts.tsx'

/** Notes once that the client opened the quote waiting for them; nothing is noted while acting as someone. */
export function useOpened(request: Request | undefined, visible: boolean): void {
  const me = useAtomValue(meAtom)
  const forClient = useMay('project.approveForClient')
  const noted = useRef<number | null>(null)
  const quote = visible && me && !me.acting && !forClient && !request?.opened ? request?.quote : null
  const id = quote?.state === 'sent' ? quote.id : null
  const project = request?.id
  useEffect(() => {
    if (id === null || project === undefined || noted.current === id) return
    noted.current = id
    // Nothing depends on this note; the next visit tries again.
    void api.write('project.quoteOpened', { id: project }).catch(() => {})
  }, [id, project])
}
