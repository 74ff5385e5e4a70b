import { useEffect, useState } from 'react'
import { count } from '../../contract/format.ts'
import { api } from '../data/apiClient.ts'
import { onStale } from '../data/useCall.ts'
import { Badge } from '../ui/Pill.tsx'

/** Results arrive many times a second; the count updates at most this often, in ms. */
const AT_MOST_MS = 5000
const ABOUT = ['project', 'proffer', 'partner']

/** The number of requests that wait for us: to invite partners, to price, or to renew the quote. */
export function ChannelCount() {
  const [ours, setOurs] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let stopped = false
    const read = async () => {
      const answer = await api.read('campaign.requestList', { step: 'ours', per_page: 1 }).catch(() => null)
      if (answer && !stopped) setOurs(answer.data.count)
    }
    void read()
    const stop = onStale((nouns) => {
      if (timer || (nouns && !ABOUT.some((noun) => nouns.has(noun)))) return
      timer = setTimeout(() => {
        timer = null
        void read()
      }, AT_MOST_MS)
    })
    return () => {
      stopped = true
      stop()
      if (timer) clearTimeout(timer)
    }
  }, [])
  if (!ours) return null
  return (
    <Badge className="ml-auto tabular-nums">
      {count(ours)}
      <span className="sr-only"> waiting for us</span>
    </Badge>
  )
}
