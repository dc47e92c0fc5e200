// Only runs code before `main`.
