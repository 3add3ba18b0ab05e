/** Lets the page open without a server (I22). Browsers allow it on this machine and over https. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !isSecureContext || !('serviceWorker' in navigator)) return;
  // After the page has loaded: it needs the connection more than what it will need offline.
  addEventListener('load', () => void navigator.serviceWorker.register('/service-worker.js').catch(() => {}));
}
