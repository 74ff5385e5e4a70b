import fc from 'fast-check'

// Fixed, so that every run is the same; `PROPERTY_SEED` takes other values.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) || 1 })
