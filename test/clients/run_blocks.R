# Runs blocks of R, each by itself: JSON texts on standard input, JSON of what they print.
blocks <- jsonlite::fromJSON(file("stdin"), simplifyVector = TRUE)
options(width = 96)
results <- vapply(blocks, function(code) {
  printed <- capture.output(tryCatch(
    source(textConnection(code, encoding = "UTF-8"), local = new.env(), encoding = "UTF-8"),
    error = function(error) cat("Error:", conditionMessage(error), "\n")
  ))
  paste0(paste(printed, collapse = "\n"), "\n")
}, "")
cat(jsonlite::toJSON(unname(results)))
