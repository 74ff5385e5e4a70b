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

// The stream resumes from `liveBegin`, so it misses nothing by starting after the first screen.
whenIdle(() => void import('./data/live.ts').then(({ liveWithSession }) => liveWithSession()), 1000)
