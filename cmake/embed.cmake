# Reads a file as the bytes of a C array, "0x2f,0x2a,"; a change of the file configures again.
function(embed_bytes variable path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
  set(${variable} ${bytes} PARENT_SCOPE)
endfunction()
