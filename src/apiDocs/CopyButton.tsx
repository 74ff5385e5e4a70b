import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'

/** Copies a text, and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null)
  useEffect(() => {
    if (!result) return undefined
    const timer = setTimeout(() => setResult(null), 2000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    navigator.clipboard
      ? navigator.clipboard.writeText(text).then(
          () => setResult('copied'),
          () => setResult('refused'),
        )
      : setResult('refused')
  const icon = result === 'copied' ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />
  return (
    <>
      <Button variant="ghost" icon={icon} aria-label={label} onClick={() => void copy()}>
        {result === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      <span role="status" className="sr-only">
        {result === 'copied' ? 'Copied' : result === 'refused' ? 'The browser doesn’t allow copying here' : ''}
      </span>
    </>
  )
}
