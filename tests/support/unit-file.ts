import fc from 'fast-check'
import { afterAll } from 'vitest'

// Fixed, so that every run is the same; `PROPERTY_SEED` takes other values.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) || 1 })

// The files of one worker share its environment: what one of them leaves behind fails another, in some orders only.
const before = { ...process.env }
afterAll(() => {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const left = [...names].filter((name) => before[name] !== process.env[name])
  if (left.length) throw new Error(`This file leaves environment variables changed: ${left.join(', ')}.`)
})
