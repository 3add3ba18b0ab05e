// Dialogs of the frame, in one file that is loaded after the page is shown.
export { TagsDialog } from '../rooms/tags-dialog.tsx';
export { KeyMap } from './key-map.tsx';
export { NewThreadDialog } from './new-thread.tsx';
export { RenameDialog } from './rename-dialog.tsx';
