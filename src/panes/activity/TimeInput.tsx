import { useEffect, useState } from 'react'
import { box } from '../../ui/useField.ts'
import { readTime, TIMES } from './times.ts'

const LIST = 'times-of-day'

/** The datalist that every `TimeInput` of a form offers; render it once. */
export function TimeList() {
  return (
    <datalist id={LIST}>
      {TIMES.map((time) => (
        <option key={time} value={time} />
      ))}
    </datalist>
  )
}

/** A time of day, typed ("14:10", "2p") or picked in ten-minute steps. `onChange` gets HH:MM, or the text as typed. */
export function TimeInput({ value, onChange, label }: { value: string; onChange: (value: string) => void; label: string }) {
  const [text, setText] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: typed text stays until the value changes
  useEffect(() => {
    if ((readTime(text) ?? text) !== value) setText(value)
  }, [value])
  return (
    <input
      type="text"
      list={LIST}
      aria-label={label}
      placeholder="HH:MM"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(readTime(event.target.value) ?? event.target.value)
      }}
      onBlur={() => setText(readTime(text) ?? text)}
      className={`${box} h-7 tabular-nums`}
    />
  )
}
