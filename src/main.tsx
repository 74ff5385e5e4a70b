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

// It resumes from what the session was read with (`liveBegin`), so nothing is missed however late it opens; the first screen does not wait for its code.
whenIdle(() => void import('./data/live.ts').then(({ liveWithSession }) => liveWithSession()), 1000)
