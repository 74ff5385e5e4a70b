import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { whenIdle } from './ui/idle.ts'
import './styles.css'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

// It resumes from `liveBegin`, so opening late misses nothing, and the first screen doesn't wait for its code.
whenIdle(() => void import('./data/live.ts').then(({ liveWithSession }) => liveWithSession()), 1000)
